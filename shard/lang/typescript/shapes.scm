; shape owned MADE NAMED TYPED
(required_parameter pattern: (identifier) @bind (#match? @bind "$NAMED"))
(optional_parameter pattern: (identifier) @bind (#match? @bind "$NAMED"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "$TYPED"))
(arrow_function parameter: (identifier) @bind (#match? @bind "$NAMED"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "$TYPED"))
(public_field_definition name: (_) @bind (#match? @bind "$NAMED"))
(public_field_definition name: (_) @bind value: (_) @_make (#match? @_make "$MADE"))
; end
