; framework: spring_messages   needs: "KafkaListener" "RabbitListener" "JmsListener" "kafka.clients"   emits: topic.provides

; @KafkaListener(topics = ["orders"]), @RabbitListener(queues = ["orders"])
(function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_listener)
    (value_arguments (value_argument (simple_identifier) @_key (collection_literal (_) @path)))) @site))
  . (simple_identifier) @handler
  (#any-of? @_listener "KafkaListener" "RabbitListener" "JmsListener")
  (#any-of? @_key "topics" "queues" "destination")
  (#set! method "SUBSCRIBE"))
(function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_listener)
    (value_arguments (value_argument (simple_identifier) @_key (string_literal) @path))) @site))
  . (simple_identifier) @handler
  (#any-of? @_listener "KafkaListener" "RabbitListener" "JmsListener")
  (#any-of? @_key "topics" "queues" "destination")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe(listOf("orders"))
((call_expression
  (navigation_expression (_) (navigation_suffix (simple_identifier) @_subscribe))
  (call_suffix (value_arguments . (value_argument (call_expression
    (simple_identifier) @_list
    (call_suffix (value_arguments (value_argument (_) @path)))))))) @site
  (#eq? @_subscribe "subscribe")
  (#any-of? @_list "listOf" "setOf" "mutableListOf")
  (#set! method "SUBSCRIBE"))
((call_expression
  (simple_identifier) @_subscribe
  (call_suffix (value_arguments . (value_argument (call_expression
    (simple_identifier) @_list
    (call_suffix (value_arguments (value_argument (_) @path)))))))) @site
  (#eq? @_subscribe "subscribe")
  (#any-of? @_list "listOf" "setOf" "mutableListOf")
  (#set! method "SUBSCRIBE"))
