; framework: spring_messages
; emits: topic.provides   needs: "KafkaListener" "RabbitListener" "JmsListener" "kafka.clients"
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

; emits: topic.consumes   needs: "KafkaTemplate" "RabbitTemplate" "JmsTemplate" "kafka.clients"
(class_parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#any-of? @_type "KafkaTemplate" "RabbitTemplate" "JmsTemplate"))
(property_declaration (variable_declaration (simple_identifier) @bind (user_type (type_identifier) @_type))
  (#any-of? @_type "KafkaTemplate" "RabbitTemplate" "JmsTemplate"))

; template.send("orders", message), template.convertAndSend("orders", message)
((call_expression
  (navigation_expression (simple_identifier) @object (navigation_suffix (simple_identifier) @_send))
  (call_suffix (value_arguments . (value_argument (_) @path) . (value_argument)))) @site
  (#any-of? @_send "send" "convertAndSend")
  (#set! method "PUBLISH"))

; ProducerRecord("orders", message)
((call_expression
  (simple_identifier) @_record
  (call_suffix (value_arguments . (value_argument (_) @path) . (value_argument)))) @site
  (#eq? @_record "ProducerRecord")
  (#set! method "PUBLISH"))
