; framework: redis   needs: "redis"   emits: topic.provides

; pubsub.subscribe("orders"), r.blpop("votes"), r.xreadgroup("group", "me", {"orders": ">"})
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe")
  (#match? @_object "(?i)redis|pub|sub|client|conn|broker|cache|^r$|^rdb$|stream|\\bdb\\b|queue")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "blpop" "brpop" "lpop" "rpop" "blmove" "brpoplpush")
  (#match? @_object "(?i)redis|pub|sub|client|conn|broker|cache|^r$|^rdb$|stream|\\bdb\\b|queue")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (dictionary (pair key: (_) @path)))) @site
  (#any-of? @_call "xread" "xreadgroup")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (_) @path))))) @site
  (#any-of? @_call "xread" "xreadgroup")
  (#set! method "SUBSCRIBE"))
