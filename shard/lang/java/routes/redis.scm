; framework: redis   needs: "Jedis" "jedis" "RedisTemplate" "lettuce"

(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(Jedis\\w*|UnifiedJedis|(String)?RedisTemplate\\b.*|Reactive(String)?RedisTemplate\\b.*|Redis(PubSub)?(Async|Reactive)?Commands\\b.*|StatefulRedis\\w*\\b.*)$"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(Jedis\\w*|UnifiedJedis|(String)?RedisTemplate\\b.*|Reactive(String)?RedisTemplate\\b.*|Redis(PubSub)?(Async|Reactive)?Commands\\b.*|StatefulRedis\\w*\\b.*)$"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(Jedis\\w*|UnifiedJedis|(String)?RedisTemplate\\b.*|Reactive(String)?RedisTemplate\\b.*|Redis(PubSub)?(Async|Reactive)?Commands\\b.*|StatefulRedis\\w*\\b.*)$"))
(resource type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(Jedis\\w*|UnifiedJedis|(String)?RedisTemplate\\b.*|Reactive(String)?RedisTemplate\\b.*|Redis(PubSub)?(Async|Reactive)?Commands\\b.*|StatefulRedis\\w*\\b.*)$"))

; emits: topic.provides
; jedis.subscribe(listener, "orders"), jedis.blpop(0, "votes"), new ChannelTopic("orders"), opsForList().leftPop("votes")
((method_invocation
  object: (_) @object name: (identifier) @_call
  arguments: (argument_list . (_) . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (_) @object name: (identifier) @_call
  arguments: (argument_list . (_) . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "blpop" "brpop")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "leftPop" "rightPop")
  (#match? @_object "opsForList|(?i)list")
  (#set! method "SUBSCRIBE"))
((object_creation_expression
  type: (type_identifier) @_type
  arguments: (argument_list . (_) @path .)) @site
  (#any-of? @_type "ChannelTopic" "PatternTopic")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (method_invocation name: (identifier) @_made) name: (identifier) @_call) @site
  (#any-of? @_made "sync" "async" "reactive")
  (#any-of? @_call "subscribe" "psubscribe" "blpop" "brpop")
  (#set! anyone ""))

; emits: topic.consumes
; jedis.publish("orders", m), redisTemplate.convertAndSend("orders", m), opsForList().rightPush("votes", v), opsForStream().add("orders", map)
((method_invocation
  object: (_) @object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "publish" "rpush" "lpush" "xadd")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "convertAndSend")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "leftPush" "rightPush")
  (#match? @_object "opsForList|(?i)list")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "add")
  (#match? @_object "opsForStream")
  (#set! method "PUBLISH"))
((method_invocation
  object: (method_invocation name: (identifier) @_made) name: (identifier) @_call) @site
  (#any-of? @_made "sync" "async" "reactive")
  (#any-of? @_call "publish" "rpush" "lpush" "xadd")
  (#set! anyone ""))
