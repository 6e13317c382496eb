; framework: redis   needs: "redis"   emits: topic.provides

; client.subscribe('orders', f), client.blpop('votes', 0), client.xread('STREAMS', 'orders', id), client.xReadGroup(group, me, { key: 'orders', id: '>' })
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe" "pSubscribe" "sSubscribe")
  (#match? @_object "(?i)redis|pub|sub|client|conn|broker|cache|^r$|^rdb$|stream|\\bdb\\b|queue")
  (#not-match? @path "=>|^function")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "blpop" "brpop" "blPop" "brPop" "brpoplpush")
  (#match? @_object "(?i)redis|pub|sub|client|conn|broker|cache|^r$|^rdb$|stream|\\bdb\\b|queue")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments [(object (pair key: (property_identifier) @_key value: (_) @path)) (array (object (pair key: (property_identifier) @_key value: (_) @path)))])) @site
  (#any-of? @_call "xRead" "xReadGroup")
  (#eq? @_key "key")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments (string (string_fragment) @_streams) . (_) @path)) @site
  (#any-of? @_call "xread" "xreadgroup")
  (#eq? @_streams "STREAMS")
  (#set! method "SUBSCRIBE"))
