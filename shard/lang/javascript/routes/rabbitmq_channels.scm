; framework: rabbitmq   needs: "amqp"   only: javascript

; A channel that is handed to a function, or a field of a class.
(formal_parameters (identifier) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))
(field_definition property: (_) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))

; emits: topic.provides

; emits: topic.consumes
