; framework: redis   needs: "redis"

; rows client
;   ^(await\\s+)?([\\w.]*[Rr]edis[\\w.]*(Cluster)?|StrictRedis|from_url|[\\w.]+\\.(pubsub|pipeline|from_url))\\( | (?i)redis|^(r|rdb|pubsub)$ | (?i)\\b(Strict|Async)?Redis|PubSub

; emits: topic.provides
; pubsub.subscribe("orders"), r.blpop("votes"), r.xreadgroup("group", "me", {"orders": ">"})
; rows calls
;   SUBSCRIBE | "subscribe" "psubscribe" | plain
;   SUBSCRIBE | "blpop" "brpop" "lpop" "rpop" "blmove" "brpoplpush" | plain
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (dictionary (pair key: (_) @path)))) @site
  (#any-of? @_call "xread" "xreadgroup")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (_) @path))))) @site
  (#any-of? @_call "xread" "xreadgroup")
  (#set! method "SUBSCRIBE"))
; rows unfollowed
;   (?i)redis\\w*(\\(\\))?$|pubsub(\\(\\))?$ | "subscribe" "psubscribe" "blpop" "brpop" "lpop" "rpop" "blmove" "brpoplpush" "xread" "xreadgroup"

; emits: topic.consumes
; r.publish("orders", message), r.rpush("votes", data), r.xadd("orders", {...})
; rows calls
;   PUBLISH | "publish" "xadd" "rpush" "lpush" | plain
; rows unfollowed
;   (?i)redis\\w*(\\(\\))?$|pubsub(\\(\\))?$ | "publish" "xadd" "rpush" "lpush"
