; framework: nats   needs: "nats"   emits: topic.consumes

; nc.publish('orders', data), nc.request('orders', data)
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "publish" "request")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#set! method "PUBLISH"))
