; framework: redis   needs: "redis" "Redis"
; emits: topic.provides
; redis.subscribe("orders") do |on|, redis.blpop("votes")
((call
  receiver: (_) @_object method: (identifier) @_call
  arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (instance_variable)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe")
  (#match? @_object "(?i)redis|sub")
  (#set! method "SUBSCRIBE"))
((call
  receiver: (_) @_object method: (identifier) @_call
  arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (instance_variable)] @path)) @site
  (#any-of? @_call "blpop" "brpop" "lpop" "rpop")
  (#match? @_object "(?i)redis|conn")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; redis.publish("orders", message), redis.rpush("votes", x), redis.xadd("orders", ...)
((call
  receiver: (_) @_object method: (identifier) @_call
  arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (instance_variable)] @path)) @site
  (#any-of? @_call "publish" "xadd" "rpush" "lpush")
  (#match? @_object "(?i)redis|pub|conn")
  (#set! method "PUBLISH"))
