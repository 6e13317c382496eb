; framework: rabbitmq   needs: "RabbitTemplate" "AmqpTemplate" "basicPublish" "RabbitOperations" "RabbitMessagingTemplate"   emits: topic.consumes

; What is a template.
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "RabbitTemplate" "AmqpTemplate" "RabbitOperations" "RabbitMessagingTemplate" "AsyncRabbitTemplate"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "RabbitTemplate" "AmqpTemplate" "RabbitOperations" "RabbitMessagingTemplate" "AsyncRabbitTemplate"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#any-of? @_type "RabbitTemplate" "AmqpTemplate" "RabbitOperations" "RabbitMessagingTemplate" "AsyncRabbitTemplate"))

; template.convertAndSend("queue", message), (exchange, "key", message)
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @_send "convertAndSend" "send" "convertSendAndReceive" "sendAndReceive")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . (_) @exchange . [(string_literal) (binary_expression) (identifier) (field_access) (method_invocation)] @path . (_))) @site
  (#any-of? @_send "convertAndSend" "send" "convertSendAndReceive" "sendAndReceive")
  (#match? @path "^\"[^\"]|(?i:key|rout|queue|topic|event)|^([A-Za-z]+\\.)*[A-Z_0-9]+$")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . (_) @path . (_) . (lambda_expression))) @site
  (#any-of? @_send "convertAndSend" "convertSendAndReceive")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . (_) @path . (_) @_key . (_))) @site
  (#any-of? @_send "convertAndSend" "send")
  (#eq? @_key "\"\"")
  (#set! method "PUBLISH"))

; channel.basicPublish(exchange, "key", properties, body)
((method_invocation
  name: (identifier) @_publish
  arguments: (argument_list . (_) @exchange . (_) @path)) @site
  (#eq? @_publish "basicPublish")
  (#not-match? @path "^\"\"$|(?i:replyTo)")
  (#set! method "PUBLISH"))
((method_invocation
  name: (identifier) @_publish
  arguments: (argument_list . (_) @path . (_) @_key)) @site
  (#eq? @_publish "basicPublish")
  (#eq? @_key "\"\"")
  (#set! method "PUBLISH"))
