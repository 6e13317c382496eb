; framework: nats   needs: "io.nats"
; emits: topic.provides
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|Dispatcher|JetStream)$"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|Dispatcher|JetStream)$"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|Dispatcher|JetStream)$"))
(resource type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|Dispatcher|JetStream)$"))

; dispatcher.subscribe("orders.*"), connection.subscribe("orders"), connection.createDispatcher(handler).subscribe("orders")
((method_invocation
  object: (_) @object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "subscribe")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (method_invocation name: (identifier) @_made) name: (identifier) @_call) @site
  (#any-of? @_made "createDispatcher" "jetStream")
  (#eq? @_call "subscribe")
  (#set! anyone ""))

; emits: topic.consumes
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|JetStream)$"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|JetStream)$"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|JetStream)$"))
(resource type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(io\\.nats\\.client\\.)?(Connection|JetStream)$"))

; connection.publish("orders", data), connection.request("orders", data), connection.jetStream().publish("orders", data)
((method_invocation
  object: (_) @object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "publish" "publishAsync" "request" "requestWithTimeout")
  (#set! method "PUBLISH"))
((method_invocation
  object: (method_invocation name: (identifier) @_made) name: (identifier) @_call) @site
  (#eq? @_made "jetStream")
  (#any-of? @_call "publish" "publishAsync")
  (#set! anyone ""))
