; framework: nats   needs: "nats"

; What is handed to a function, or a field of a class: by its type, or called so.
(required_parameter pattern: (identifier) @bind (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "^(NatsConnection|JetStreamClient|Stan)$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "^(NatsConnection|JetStreamClient|Stan)$"))
(public_field_definition name: (_) @bind (#match? @bind "(?i)nats|^(nc|js|sc|jetstream|stan)$"))

; emits: topic.provides

; emits: topic.consumes
