; framework: redis   needs: "Jedis" "jedis" "RedisTemplate" "lettuce"   emits: topic.consumes

; jedis.publish("orders", m), redisTemplate.convertAndSend("orders", m), opsForList().rightPush("votes", v), opsForStream().add("orders", map)
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "publish" "rpush" "lpush" "xadd")
  (#match? @_object "(?i)jedis|redis|conn|sync")
  (#set! method "PUBLISH"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#eq? @_call "convertAndSend")
  (#match? @_object "(?i)redis")
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
