; framework: redis   needs: "redis"   emits: topic.consumes

; r.publish("orders", message), r.rpush("votes", data), r.xadd("orders", {...})
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "publish" "xadd" "rpush" "lpush")
  (#match? @_object "(?i)redis|pub|sub|client|conn|broker|cache|^r$|^rdb$|stream|\\bdb\\b|queue")
  (#set! method "PUBLISH"))
