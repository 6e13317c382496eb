; framework: nats   needs: "nats.go" "nats-io"

(parameter_declaration name: (identifier) @bind type: (_) @_type (#match? @_type "^(\\*?nats\\.(Conn|EncodedConn|JetStreamContext|JetStream)|jetstream\\.(JetStream|Stream|Publisher)|\\*?stan\\.Conn)$"))
(field_declaration name: (field_identifier) @bind type: (_) @_type (#match? @_type "^(\\*?nats\\.(Conn|EncodedConn|JetStreamContext|JetStream)|jetstream\\.(JetStream|Stream|Publisher)|\\*?stan\\.Conn)$"))
(var_spec name: (identifier) @bind type: (_) @_type (#match? @_type "^(\\*?nats\\.(Conn|EncodedConn|JetStreamContext|JetStream)|jetstream\\.(JetStream|Stream|Publisher)|\\*?stan\\.Conn)$"))
((call_expression function: (_) @_make) @instance
  (#match? @_make "^(nats\\.Connect|nats\\.NewEncodedConn|jetstream\\.New|stan\\.Connect)$|\\.JetStream$"))

; emits: topic.provides
; nc.Subscribe("orders.*", f), nc.QueueSubscribe("orders", "group", f), js.PullSubscribe("orders", ...)
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Subscribe" "SubscribeSync" "QueueSubscribe" "QueueSubscribeSync" "ChanSubscribe" "PullSubscribe")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)(jetstream.ConsumerConfig|nats.ConsumerConfig|ConsumerConfig)$")
  (#eq? @_key "FilterSubject")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; nc.Publish("orders", data), js.Publish(ctx, "orders", data), nc.Request("orders", data, timeout)
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Publish" "PublishRequest" "PublishAsync" "Request")
  (#not-match? @path "(?i)ctx|context")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . (_) @_context . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Publish" "RequestWithContext")
  (#match? @_context "(?i)ctx|context")
  (#set! method "PUBLISH"))
((composite_literal
  type: (_) @_type
  body: (literal_value (keyed_element
    key: (literal_element (identifier) @_key)
    value: (literal_element (_) @path)))) @site
  (#match? @_type "(^|\\.)(nats.Msg)$")
  (#eq? @_key "Subject")
  (#set! method "PUBLISH"))
