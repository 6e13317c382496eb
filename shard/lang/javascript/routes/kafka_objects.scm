; framework: kafka   needs: "kafka"   only: javascript

(field_definition property: (_) @bind value: (_) @_make (#match? @_make "\\.(consumer|producer)\\("))

; emits: topic.provides
; What is handed to a function, or a field of a class.
(formal_parameters (identifier) @bind (#match? @bind "(?i)consumer$|kafka"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)consumer$|kafka"))
(field_definition property: (_) @bind (#match? @bind "(?i)consumer$|kafka"))

; emits: topic.consumes
; What is handed to a function, or a field of a class.
(formal_parameters (identifier) @bind (#match? @bind "(?i)producer$|kafka"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)producer$|kafka"))
(field_definition property: (_) @bind (#match? @bind "(?i)producer$|kafka"))
