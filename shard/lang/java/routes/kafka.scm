; framework: kafka   needs: "KafkaListener" "kafka.clients" "kafka.streams" "reactor.kafka"   emits: topic.provides

; @KafkaListener(topics = "orders"), { "a", "b" }
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site
  (#eq? @_listener "KafkaListener")
  (#eq? @_key "topics")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site
  (#eq? @_listener "KafkaListener")
  (#eq? @_key "topicPattern")
  (#set! style "expression-whole")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: (element_value_array_initializer [(string_literal) (binary_expression) (identifier) (field_access)] @path)))) @site
  (#eq? @_listener "KafkaListener")
  (#eq? @_key "topics")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe(List.of("orders")), builder.stream("orders")
((method_invocation
  name: (identifier) @_subscribe
  arguments: (argument_list . (method_invocation
    name: (identifier) @_list
    arguments: (argument_list (_) @path)))) @site
  (#eq? @_subscribe "subscribe")
  (#any-of? @_list "of" "asList" "singletonList" "singleton")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (identifier) @_builder
  name: (identifier) @_stream
  arguments: (argument_list . [(string_literal) (identifier) (field_access)] @path)) @site
  (#match? @_builder "[bB]uilder$")
  (#any-of? @_stream "stream" "table" "globalTable")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe(Pattern.compile("orders\\..*"))
((method_invocation
  name: (identifier) @_subscribe
  arguments: (argument_list . (method_invocation
    object: (identifier) @_pattern name: (identifier) @_compile
    arguments: (argument_list . (_) @path)))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_pattern "Pattern")
  (#eq? @_compile "compile")
  (#set! style "expression-whole")
  (#set! method "SUBSCRIBE"))

; Micronaut: @Topic("orders") on a method of what is a @KafkaListener
(class_declaration
  (modifiers [(annotation name: (identifier) @_listener) (marker_annotation name: (identifier) @_listener)])
  body: (class_body (method_declaration (modifiers (annotation
    name: (identifier) @_topic arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site)))
  (#eq? @_listener "KafkaListener")
  (#eq? @_topic "Topic")
  (#set! method "SUBSCRIBE"))
(class_declaration
  (modifiers [(annotation name: (identifier) @_listener) (marker_annotation name: (identifier) @_listener)])
  body: (class_body (method_declaration (modifiers (annotation
    name: (identifier) @_topic arguments: (annotation_argument_list (element_value_array_initializer [(string_literal) (identifier) (field_access)] @path))) @site)))
  (#eq? @_listener "KafkaListener")
  (#eq? @_topic "Topic")
  (#set! method "SUBSCRIBE"))
