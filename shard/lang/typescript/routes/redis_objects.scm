; framework: redis   needs: "redis"

; What is handed to a function, or a field of a class: by its type, or called so.
(required_parameter pattern: (identifier) @bind (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "(?i)redis"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "(?i)redis"))
(public_field_definition name: (_) @bind (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(public_field_definition name: (_) @bind value: (_) @_make (#match? @_make "^new\\s+(IO|io)?Redis\\b|create(Client|Cluster)\\("))

; emits: topic.provides

; emits: topic.consumes
