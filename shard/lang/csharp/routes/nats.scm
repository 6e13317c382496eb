; framework: nats   needs: "NATS."

(parameter type: (_) @_type name: (identifier) @bind (#match? @_type "^(NATS\\.Client\\.|NATS\\.Net\\.)?(IConnection|IJetStream|INatsConnection|NatsConnection|INatsClient|NatsClient|INatsJSContext|NatsJSContext)$"))
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind) (#match? @_type "^(NATS\\.Client\\.|NATS\\.Net\\.)?(IConnection|IJetStream|INatsConnection|NatsConnection|INatsClient|NatsClient|INatsJSContext|NatsJSContext)$"))
(property_declaration type: (_) @_type name: (identifier) @bind (#match? @_type "^(NATS\\.Client\\.|NATS\\.Net\\.)?(IConnection|IJetStream|INatsConnection|NatsConnection|INatsClient|NatsClient|INatsJSContext|NatsJSContext)$"))
(variable_declarator name: (identifier) @bind (_) @_make (#match? @_make "NatsConnection\\(|NatsClient\\(|ConnectionFactory\\(\\)\\.CreateConnection|\\.CreateJetStreamContext\\("))
(assignment_expression left: [(identifier) (member_access_expression)] @bind right: (_) @_make (#match? @_make "NatsConnection\\(|NatsClient\\(|ConnectionFactory\\(\\)\\.CreateConnection|\\.CreateJetStreamContext\\("))

; emits: topic.provides
; nats.SubscribeAsync<string>("orders.>"), connection.SubscribeAsync("orders.*", handler)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [(identifier) @_call (generic_name (identifier) @_call)])
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "SubscribeAsync" "SubscribeSync" "SubscribeCoreAsync" "PushSubscribeAsync" "PullSubscribe")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [(identifier) @_call (generic_name (identifier) @_call)])
  arguments: (argument_list (argument name: (identifier) @_key [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "SubscribeAsync" "SubscribeCoreAsync")
  (#eq? @_key "subject")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; nats.PublishAsync("orders.created", data), connection.Publish("orders", data), connection.Request("orders", data)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [(identifier) @_call (generic_name (identifier) @_call)])
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "PublishAsync" "Publish" "Request" "RequestAsync")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [(identifier) @_call (generic_name (identifier) @_call)])
  arguments: (argument_list (argument name: (identifier) @_key [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "PublishAsync" "RequestAsync")
  (#eq? @_key "subject")
  (#set! method "PUBLISH"))
