; framework: nats   needs: "nats"   emits: topic.provides

; await nc.subscribe("orders.*", cb=f)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "subscribe" "pull_subscribe")
  (#match? @_object "(?i)nats|\\bnc\\b|\\bjs\\b|jetstream|conn|client|broker|stan|\\bsc\\b|bus")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))
