; framework: rabbitmq   needs: "RabbitListener" "setQueueNames" "basicConsume" "setQueues" "receiveAndConvert"   emits: topic.provides

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
