; framework: redis   needs: "redis" "Redis"   emits: topic.consumes

; redis.publish("orders", message), redis.rpush("votes", x), redis.xadd("orders", ...)
((call
  receiver: (_) @_object method: (identifier) @_call
  arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (instance_variable)] @path)) @site
  (#any-of? @_call "publish" "xadd" "rpush" "lpush")
  (#match? @_object "(?i)redis|pub|conn")
  (#set! method "PUBLISH"))
