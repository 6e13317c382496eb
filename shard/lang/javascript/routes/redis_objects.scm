; framework: redis   needs: "redis"   only: javascript

; What is handed to a function, or a field of a class.
(formal_parameters (identifier) @bind (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(field_definition property: (_) @bind (#match? @bind "(?i)redis|^(rdb|pub|sub|publisher|subscriber|(pub|sub)Client)$"))
(field_definition property: (_) @bind value: (_) @_make (#match? @_make "^new\\s+(IO|io)?Redis\\b|create(Client|Cluster)\\("))

; emits: topic.provides

; emits: topic.consumes
