; framework: nats   needs: "nats"   only: javascript

; What is handed to a function, or a field of a class.
(formal_parameters (identifier) @bind (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(field_definition property: (_) @bind (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))

; emits: topic.provides

; emits: topic.consumes
