; framework: kafka   needs: "kafka"

(public_field_definition name: (_) @bind value: (_) @_make (#match? @_make "\\.(consumer|producer)\\("))

; emits: topic.provides
; What is handed to a function, or a field of a class: by its type, or called so.
(required_parameter pattern: (identifier) @bind (#match? @bind "(?i)consumer$|kafka"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "^(\\w+\\.)?Consumer$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)consumer$|kafka"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "^(\\w+\\.)?Consumer$"))
(public_field_definition name: (_) @bind (#match? @bind "(?i)consumer$|kafka"))

; emits: topic.consumes
; What is handed to a function, or a field of a class: by its type, or called so.
(required_parameter pattern: (identifier) @bind (#match? @bind "(?i)producer$|kafka"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "^(\\w+\\.)?Producer$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)producer$|kafka"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "^(\\w+\\.)?Producer$"))
(public_field_definition name: (_) @bind (#match? @bind "(?i)producer$|kafka"))
