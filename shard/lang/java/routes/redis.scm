; framework: redis   needs: "Jedis" "jedis" "RedisTemplate" "lettuce"   emits: topic.provides

; jedis.subscribe(listener, "orders"), jedis.blpop(0, "votes"), new ChannelTopic("orders"), opsForList().leftPop("votes")
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . (_) . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe")
  (#match? @_object "(?i)jedis|redis|sync")
  (#set! method "SUBSCRIBE"))
((method_invocation
  object: (_) @_object name: (identifier) @_call
  arguments: (argument_list . (_) . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path)) @site
  (#any-of? @_call "blpop" "brpop")
  (#match? @_object "(?i)jedis|redis|conn|sync")
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
