; framework: redis   needs: "redis"

(assignment
  left: [(identifier) (attribute)] @bind
  right: [(call) (await)] @_make
  (#match? @_make "^(await\\s+)?([\\w.]*[Rr]edis[\\w.]*(Cluster)?|StrictRedis|from_url|[\\w.]+\\.(pubsub|pipeline|from_url))\\("))
(as_pattern [(call) (await)] @_make alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^(await\\s+)?([\\w.]*[Rr]edis[\\w.]*(Cluster)?|StrictRedis|from_url|[\\w.]+\\.(pubsub|pipeline|from_url))\\("))
(parameters (identifier) @bind (#match? @bind "(?i)redis|^(r|rdb|pubsub)$"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "(?i)\\b(Strict|Async)?Redis|PubSub"))
(parameters (default_parameter name: (identifier) @bind) (#match? @bind "(?i)redis|^(r|rdb|pubsub)$"))

; emits: topic.provides
; pubsub.subscribe("orders"), r.blpop("votes"), r.xreadgroup("group", "me", {"orders": ">"})
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "blpop" "brpop" "lpop" "rpop" "blmove" "brpoplpush")
  (#set! method "SUBSCRIBE"))
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

; What is not followed, but says what it is: self.redis, get_redis(), app.state.redis_client
((call function: (attribute object: [(attribute) (call) (subscript)] @_object attribute: (identifier) @_call)) @site
  (#any-of? @_call "subscribe" "psubscribe" "blpop" "brpop" "lpop" "rpop" "blmove" "brpoplpush" "xread" "xreadgroup")
  (#match? @_object "(?i)redis\\w*(\\(\\))?$|pubsub(\\(\\))?$")
  (#set! anyone ""))

; emits: topic.consumes
; r.publish("orders", message), r.rpush("votes", data), r.xadd("orders", {...})
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "publish" "xadd" "rpush" "lpush")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is: self.redis, get_redis(), app.state.redis_client
((call function: (attribute object: [(attribute) (call) (subscript)] @_object attribute: (identifier) @_call)) @site
  (#any-of? @_call "publish" "xadd" "rpush" "lpush")
  (#match? @_object "(?i)redis\\w*(\\(\\))?$|pubsub(\\(\\))?$")
  (#set! anyone ""))
