; framework: rabbitmq
; emits: topic.provides   needs: "RabbitListener" "setQueueNames" "basicConsume" "setQueues" "receiveAndConvert"
; @RabbitListener(queues = "orders"), { "a", "b" }, queuesToDeclare = @Queue("orders"), bindings = @QueueBinding(value = @Queue("orders"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site
  (#eq? @_listener "RabbitListener")
  (#any-of? @_key "queues")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: (element_value_array_initializer [(string_literal) (binary_expression) (identifier) (field_access)] @path)))) @site
  (#eq? @_listener "RabbitListener")
  (#eq? @_key "queues")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: (annotation arguments: (annotation_argument_list
      [(string_literal) @path (identifier) @path (field_access) @path
       (element_value_pair key: (identifier) @_name value: [(string_literal) (identifier) (field_access)] @path)]))))) @site
  (#eq? @_listener "RabbitListener")
  (#eq? @_key "queuesToDeclare")
  (#match? @_name "^(value|name)$")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: (annotation arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_value
      value: (annotation arguments: (annotation_argument_list
        [(string_literal) @path (identifier) @path (field_access) @path
         (element_value_pair key: (identifier) @_name value: [(string_literal) (identifier) (field_access)] @path)])))))))) @site
  (#eq? @_listener "RabbitListener")
  (#eq? @_key "bindings")
  (#eq? @_value "value")
  (#match? @_name "^(value|name)$")
  (#set! method "SUBSCRIBE"))

; container.setQueueNames("orders"), channel.basicConsume("orders", ...)
((method_invocation
  name: (identifier) @_set
  arguments: (argument_list (_) @path)) @site
  (#eq? @_set "setQueueNames")
  (#set! method "SUBSCRIBE"))
((method_invocation
  name: (identifier) @_consume
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_consume "basicConsume" "receiveAndConvert")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "RabbitTemplate" "AmqpTemplate" "basicPublish" "RabbitOperations" "RabbitMessagingTemplate"
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
