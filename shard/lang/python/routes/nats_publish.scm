; framework: nats   needs: "nats"   emits: topic.consumes

; await nc.publish("orders", data), await nc.request("orders", data)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "publish" "request")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#set! method "PUBLISH"))
