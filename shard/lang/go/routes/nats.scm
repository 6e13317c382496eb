; framework: nats   needs: "nats.go" "nats-io"   emits: topic.provides

; nc.Subscribe("orders.*", f), nc.QueueSubscribe("orders", "group", f), js.PullSubscribe("orders", ...)
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Subscribe" "SubscribeSync" "QueueSubscribe" "QueueSubscribeSync" "ChanSubscribe" "PullSubscribe")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
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
