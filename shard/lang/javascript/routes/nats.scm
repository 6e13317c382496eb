; framework: nats   needs: "nats"   emits: topic.provides

; nc.subscribe('orders.*')
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#eq? @_call "subscribe")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#not-match? @path "=>|^function")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))
