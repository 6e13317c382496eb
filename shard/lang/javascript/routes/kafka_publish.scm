; framework: kafka   needs: "kafka"   emits: topic.consumes

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

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "\\.(consumer|producer)$"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "send" "sendBatch")
  (#match? @_object "(?i)(consumer|producer)$")
  (#set! anyone ""))
(import_specifier name: (identifier) @bind (#match? @bind "(?i)(consumer|producer)$"))
