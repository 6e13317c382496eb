; framework: nats   needs: "io.nats"   emits: topic.consumes

; connection.publish("orders", data), connection.request("orders", data)
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "publish" "request")
  (#set! method "PUBLISH"))
