; framework: redis   needs: "redis"

(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^(await\\s+)?(new\\s+(IO|io)?[Rr]edis\\b|(\\w+\\.)?create(Client|Cluster)\\(|new\\s+\\w+\\.Cluster\\(|[\\w.]*[Rr]edis[\\w.]*\\.(duplicate|createClient)|[\\w.]+\\.duplicate\\()"))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)]
  (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^(await\\s+)?(new\\s+(IO|io)?[Rr]edis\\b|(\\w+\\.)?create(Client|Cluster)\\(|new\\s+\\w+\\.Cluster\\(|[\\w.]*[Rr]edis[\\w.]*\\.(duplicate|createClient)|[\\w.]+\\.duplicate\\()"))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^(await\\s+)?(new\\s+(IO|io)?[Rr]edis\\b|(\\w+\\.)?create(Client|Cluster)\\(|new\\s+\\w+\\.Cluster\\(|[\\w.]*[Rr]edis[\\w.]*\\.(duplicate|createClient)|[\\w.]+\\.duplicate\\()"))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "(^|\\.)create(Client|Cluster)$|[Rr]edis\\w*\\.duplicate$"))
((new_expression constructor: (_) @_make) @instance (#match? @_make "^(IO|io)?Redis$|\\.Cluster$"))
(import_specifier name: (identifier) @bind (#match? @bind "(?i)redis"))

; emits: topic.provides
; client.subscribe('orders', f), client.blpop('votes', 0), client.xread('STREAMS', 'orders', id), client.xReadGroup(group, me, { key: 'orders', id: '>' })
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "subscribe" "psubscribe" "pSubscribe" "sSubscribe")
  (#not-match? @path "=>|^function")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "blpop" "brpop" "blPop" "brPop" "brpoplpush")
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

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "subscribe" "psubscribe" "pSubscribe" "sSubscribe" "blpop" "brpop" "blPop" "brPop" "brpoplpush" "xRead" "xReadGroup" "xread" "xreadgroup")
  (#match? @_object "(?i)redis")
  (#set! anyone ""))

; emits: topic.consumes
; client.publish('orders', message), client.rpush('votes', data), client.xadd('orders', '*', ...)
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "publish" "spublish" "sPublish" "xadd" "xAdd" "rpush" "lpush" "rPush" "lPush")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "publish" "spublish" "sPublish" "xadd" "xAdd" "rpush" "lpush" "rPush" "lPush")
  (#match? @_object "(?i)redis")
  (#set! anyone ""))
