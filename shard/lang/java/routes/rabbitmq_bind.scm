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
  arguments: (argument_list . (_) . (_) @exchange . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "queueBind")
  (#not-match? @path "^\"\"$")
  (#set! method "SUBSCRIBE"))
((annotation name: (identifier) @_binding arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: [(string_literal) @path (identifier) @path (field_access) @path (element_value_array_initializer (_) @path)]))) @site
  (#eq? @_binding "QueueBinding")
  (#eq? @_key "key")
  (#set! method "SUBSCRIBE"))
((method_invocation
  name: (identifier) @_call
  arguments: (argument_list . (_) . (_) @path . (string_literal) @_key)) @site
  (#eq? @_call "queueBind")
  (#eq? @_key "\"\"")
  (#set! method "SUBSCRIBE"))

; The exchange: .to(exchange), exchange = @Exchange("events"), @Exchange(name = "events")
((method_invocation
  object: (method_invocation object: (_) @_object name: (identifier) @_to arguments: (argument_list . (_) @exchange .)) name: (identifier) @_call) @site
  (#eq? @_call "with")
  (#eq? @_to "to")
  (#match? @_object "^BindingBuilder"))
((annotation name: (identifier) @_binding arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key
  value: (annotation arguments: (annotation_argument_list [
    (string_literal) @exchange (identifier) @exchange (field_access) @exchange
    (element_value_pair key: (identifier) @_name value: [(string_literal) (identifier) (field_access)] @exchange)]))))) @site
  (#eq? @_binding "QueueBinding")
  (#eq? @_key "exchange")
  (#match? @_name "^(value|name)$"))
