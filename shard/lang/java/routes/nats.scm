; framework: nats   needs: "io.nats"   emits: topic.provides

; dispatcher.subscribe("orders.*"), connection.subscribe("orders")
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "subscribe")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))
