; framework: nats   needs: "async_nats" "nats::"
; emits: topic.provides
; client.subscribe("orders.*")
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)) @site
  (#any-of? @_call "subscribe" "queue_subscribe")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; client.publish("orders", payload), client.request("orders", payload)
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)) @site
  (#any-of? @_call "publish" "request")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#set! method "PUBLISH"))
