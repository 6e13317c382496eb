; framework: redis   needs: "redis"   emits: topic.consumes

; client.publish('orders', message), client.rpush('votes', data), client.xadd('orders', '*', ...)
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "publish" "spublish" "sPublish" "xadd" "xAdd" "rpush" "lpush" "rPush" "lPush")
  (#match? @_object "(?i)redis|pub|sub|client|conn|broker|cache|^r$|^rdb$|stream|\\bdb\\b|queue")
  (#set! method "PUBLISH"))
