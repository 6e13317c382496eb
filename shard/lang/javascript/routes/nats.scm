; framework: nats   needs: "nats"

(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^(await\\s+)?(\\w+\\.)?connect\\(|\\.jetstream\\("))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)]
  (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^(await\\s+)?(\\w+\\.)?connect\\(|\\.jetstream\\("))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^(await\\s+)?(\\w+\\.)?connect\\(|\\.jetstream\\("))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "(^|\\.)connect$|\\.jetstream$"))
(import_specifier name: (identifier) @bind (#match? @bind "(?i)(nats|jetstream|\\bnc|\\bjs)$"))

; emits: topic.provides
; nc.subscribe('orders.*')
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#eq? @_call "subscribe")
  (#not-match? @path "=>|^function")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "subscribe")
  (#match? @_object "(?i)(nats|jetstream|\\bnc|\\bjs)$")
  (#set! anyone ""))

; emits: topic.consumes
; nc.publish('orders', data), nc.request('orders', data)
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "publish" "request")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "publish" "request")
  (#match? @_object "(?i)(nats|jetstream|\\bnc|\\bjs)$")
  (#set! anyone ""))
