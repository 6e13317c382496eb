; framework: kafka   needs: "kafka"

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "\\.(consumer|producer)$"))
(import_specifier name: (identifier) @bind (#match? @bind "(?i)(consumer|producer)$"))

; emits: topic.provides
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "\\.consumer\\("))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)]
  (#match? @bind "(?i)consumer$|kafka"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "(?i)consumer$|kafka"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "(?i)consumer$|kafka"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "\\.consumer\\("))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "\\.consumer\\("))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "(?i)consumer$|kafka"))

; consumer.subscribe({ topic: "orders" }), { topics: ["orders", "users"] }
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: [(string) (template_string) (identifier) (member_expression) (binary_expression) (call_expression) (subscript_expression)] @path)))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topic")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (shorthand_property_identifier) @path))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @path "topic")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (array [(string) (template_string) (identifier) (member_expression) (binary_expression) (call_expression) (subscript_expression)] @path))))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topics")
  (#set! style "plain")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe({ topic: /^orders-.*/ }), { topics: [/orders/] }
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: [
    (regex (regex_pattern) @path) (array (regex (regex_pattern) @path))])))) @site
  (#eq? @_subscribe "subscribe")
  (#any-of? @_key "topic" "topics")
  (#set! word "")
  (#set! style "expression-within")
  (#set! method "SUBSCRIBE"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "subscribe")
  (#match? @_object "(?i)(consumer|producer)$")
  (#set! anyone ""))

; emits: topic.consumes
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "\\.producer\\("))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)]
  (#match? @bind "(?i)producer$|kafka"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "(?i)producer$|kafka"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "(?i)producer$|kafka"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "\\.producer\\("))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "\\.producer\\("))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "(?i)producer$|kafka"))

; producer.send({ topic: "orders", messages })
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_send)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#eq? @_send "send")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_send)
  arguments: (arguments . (object (shorthand_property_identifier) @path))) @site
  (#eq? @_send "send")
  (#eq? @path "topic")
  (#set! method "PUBLISH"))

; producer.sendBatch({ topicMessages: [{ topic: "orders", messages }] })
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_send)
  arguments: (arguments . (object (pair value: (array (object (pair key: (property_identifier) @_key value: (_) @path))))))) @site
  (#eq? @_send "sendBatch")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "send" "sendBatch")
  (#match? @_object "(?i)(consumer|producer)$")
  (#set! anyone ""))
