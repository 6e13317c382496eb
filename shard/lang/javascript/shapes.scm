; The bodies of `; rows NAME` (../ROUTES.md).

; What is a client: made so, called so, or of such a type.  `owned`: what a function is handed, or a field of a class.
; shape client MADE NAMED TYPED
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (new_expression)] @_make (#match? @_make "$MADE"))
(variable_declarator name: (identifier) @bind value: [(call_expression) (await_expression) (member_expression) (identifier) (null)] (#match? @bind "$NAMED"))
(variable_declarator name: (identifier) @bind !value (#match? @bind "$NAMED"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind) (#match? @bind "$NAMED"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(call_expression) (await_expression) (new_expression)] @_make (#match? @_make "$MADE"))
(assignment_expression left: (member_expression property: (property_identifier) @bind) right: [(call_expression) (await_expression) (new_expression)] @_make (#match? @_make "$MADE"))
(assignment_expression left: [(identifier) @bind (member_expression property: (property_identifier) @bind)]
  right: [(call_expression) (await_expression) (member_expression) (identifier)]
  (#match? @bind "$NAMED"))
(import_specifier name: (identifier) @bind (#match? @bind "$NAMED"))
; rows owned
;   $MADE | $NAMED | $TYPED
; end
; shape owned MADE NAMED TYPED
(formal_parameters (identifier) @bind (#match? @bind "$NAMED"))
(arrow_function parameter: (identifier) @bind (#match? @bind "$NAMED"))
(field_definition property: (_) @bind (#match? @bind "$NAMED"))
(field_definition property: (_) @bind value: (_) @_make (#match? @_make "$MADE"))
; end

; What is not followed, but says what it is: this.broker.producer, one of a library.
; shape unfollowed OBJECT CALLS
((call_expression
  function: (member_expression object: (member_expression property: (_) @_object) property: (property_identifier) @_call)) @site
  (#any-of? @_call $CALLS)
  (#match? @_object "$OBJECT")
  (#set! anyone ""))
; end

; client.publish('orders', message)
; shape calls METHOD CALLS STYLE
((call_expression
  function: (member_expression
    object: [(identifier) @object (member_expression) @object (call_expression) @object (new_expression) @object (parenthesized_expression) @object (member_expression property: (property_identifier) @object)]
    property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#any-of? @_call $CALLS)
  (#not-match? @path "=>|^function")
  (#set! style "$STYLE")
  (#set! method "$METHOD"))
; end
