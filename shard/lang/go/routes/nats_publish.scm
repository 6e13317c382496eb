; framework: nats   needs: "nats.go" "nats-io"   emits: topic.consumes

; nc.Publish("orders", data), js.Publish(ctx, "orders", data), nc.Request("orders", data, timeout)
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Publish" "PublishRequest" "PublishAsync" "Request")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#not-match? @path "(?i)ctx|context")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
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
