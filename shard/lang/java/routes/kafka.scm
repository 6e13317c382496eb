; framework: kafka
; emits: topic.provides   needs: "KafkaListener" "kafka.clients" "kafka.streams" "reactor.kafka"
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

; emits: topic.consumes   needs: "KafkaTemplate" "kafka.clients" "KafkaOperations" "KafkaClient"
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(Reactive)?(Reply(ing)?)?Kafka(Producer)?(Template|Operations)\\b"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(Reactive)?(Reply(ing)?)?Kafka(Producer)?(Template|Operations)\\b"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(Reactive)?(Reply(ing)?)?Kafka(Producer)?(Template|Operations)\\b"))

; template.send("orders", key, message)
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path . (_))) @site
  (#eq? @_send "send")
  (#set! method "PUBLISH"))

; new ProducerRecord<>("orders", message)
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (_) @path . (_))) @site
  (#match? @_type "^ProducerRecord\\b")
  (#set! method "PUBLISH"))

; Micronaut: @Topic("orders") on a method of what is a @KafkaClient
(interface_declaration
  (modifiers [(annotation name: (identifier) @_client) (marker_annotation name: (identifier) @_client)])
  body: (interface_body (method_declaration (modifiers (annotation
    name: (identifier) @_topic arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site)))
  (#eq? @_client "KafkaClient")
  (#eq? @_topic "Topic")
  (#set! method "PUBLISH"))
