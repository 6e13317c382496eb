; framework: pubsub   needs: "@google-cloud/pubsub"
; emits: topic.provides
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)]
  (#match? @bind "(?i)pub_?sub"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "(?i)pub_?sub"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "(?i)pub_?sub"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "(?i)pub_?sub"))

; pubsub.subscription('orders'), new PubSub().subscription('orders')
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#eq? @_call "subscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: [(new_expression) (parenthesized_expression)] @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#match? @_object "^\\(?new\\s+(\\w+\\.)?PubSub\\b")
  (#eq? @_call "subscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((new_expression constructor: (_) @_make) @instance (#match? @_make "(^|\\.)PubSub$"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "subscription")
  (#match? @_object "(?i)pub_?sub$")
  (#set! anyone ""))
(import_specifier name: (identifier) @bind (#match? @bind "(?i)pub_?sub$"))

; emits: topic.consumes
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)]
  (#match? @bind "(?i)pub_?sub"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "(?i)pub_?sub"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "(?i)pub_?sub"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make
  (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "(?i)pub_?sub"))

; pubsub.topic('orders'), new PubSub().topic('orders')
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#eq? @_call "topic")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression object: [(new_expression) (parenthesized_expression)] @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#match? @_object "^\\(?new\\s+(\\w+\\.)?PubSub\\b")
  (#eq? @_call "topic")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((new_expression constructor: (_) @_make) @instance (#match? @_make "(^|\\.)PubSub$"))

; What is not followed, but says what it is: this.broker.producer, one of a library.
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call "topic")
  (#match? @_object "(?i)pub_?sub$")
  (#set! anyone ""))
(import_specifier name: (identifier) @bind (#match? @bind "(?i)pub_?sub$"))

; emits: topic.forwards
; pubsub.topic('orders').createSubscription('billing')
((call_expression
  function: (member_expression
    object: (call_expression
      function: (member_expression property: (property_identifier) @_topic)
      arguments: (arguments . (_) @path))
    property: (property_identifier) @_create)
  arguments: (arguments . (_) @queue)) @site
  (#eq? @_topic "topic")
  (#eq? @_create "createSubscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
