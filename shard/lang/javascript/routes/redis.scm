; framework: redis   needs: "redis"

; rows client
;   ^(await\\s+)?(new\\s+(IO|io)?[Rr]edis\\b|(\\w+\\.)?create(Client|Cluster)\\(|new\\s+\\w+\\.Cluster\\(|[\\w.]*[Rr]edis[\\w.]*\\.(duplicate|createClient)|[\\w.]+\\.duplicate\\() | (?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$ | (?i)redis

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "(^|\\.)create(Client|Cluster)$|[Rr]edis\\w*\\.duplicate$"))
((new_expression constructor: (_) @_make) @instance (#match? @_make "^(IO|io)?Redis$|\\.Cluster$"))

; emits: topic.provides
; client.subscribe('orders', f), client.blpop('votes', 0), client.xread('STREAMS', 'orders', id), client.xReadGroup(group, me, { key: 'orders', id: '>' })
; rows calls
;   SUBSCRIBE | "subscribe" "psubscribe" "pSubscribe" "sSubscribe" "blpop" "brpop" "blPop" "brPop" "brpoplpush" | plain
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
; rows unfollowed
;   (?i)redis | "subscribe" "psubscribe" "pSubscribe" "sSubscribe" "blpop" "brpop" "blPop" "brPop" "brpoplpush" "xRead" "xReadGroup" "xread" "xreadgroup"

; emits: topic.consumes
; client.publish('orders', message), client.rpush('votes', data), client.xadd('orders', '*', ...)
; rows calls
;   PUBLISH | "publish" "spublish" "sPublish" "xadd" "xAdd" "rpush" "lpush" "rPush" "lPush" | plain
; rows unfollowed
;   (?i)redis | "publish" "spublish" "sPublish" "xadd" "xAdd" "rpush" "lpush" "rPush" "lPush"
