; framework: spring_messages   needs: "KafkaTemplate" "RabbitTemplate" "JmsTemplate" "kafka.clients"   emits: topic.consumes

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
