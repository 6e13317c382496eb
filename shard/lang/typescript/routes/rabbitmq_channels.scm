; framework: rabbitmq   needs: "amqp"

; A channel that is handed to a function, or a field of a class.
(required_parameter pattern: (identifier) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))
(optional_parameter pattern: (identifier) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "^(amqp\\w*\\.)?(Confirm)?Channel(Wrapper)?$"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "^(amqp\\w*\\.)?(Confirm)?Channel(Wrapper)?\\b"))
(public_field_definition name: (_) @bind (#match? @bind "(?i)(channel|channelWrapper)$|^ch$"))

; emits: topic.provides

; emits: topic.consumes
