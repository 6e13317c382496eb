; framework: rabbitmq   needs: "BindingBuilder" "QueueBinding" "queueBind"   emits: topic.provides

; BindingBuilder.bind(queue).to(exchange).with("orders.created"), @QueueBinding(key = "orders.created"), channel.queueBind(queue, "events", "orders.created")
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "with")
  (#match? @_object "^BindingBuilder")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . (_) . (_) . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "queueBind")
  (#not-match? @path "^\"\"$")
  (#set! method "SUBSCRIBE"))
((annotation name: (identifier) @_binding arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: [(string_literal) @path (identifier) @path (field_access) @path (element_value_array_initializer (_) @path)]))) @site
  (#eq? @_binding "QueueBinding")
  (#eq? @_key "key")
  (#set! method "SUBSCRIBE"))
