; framework: pubsub   needs: "@google-cloud/pubsub"

; What is handed to a function, or a field of a class: by its type, or called so.
(required_parameter pattern: (identifier) @bind (#match? @bind "(?i)pub_?sub"))
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "PubSub"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)pub_?sub"))
(public_field_definition name: (_) @bind type: (type_annotation (_) @_type) (#match? @_type "PubSub"))
(public_field_definition name: (_) @bind (#match? @bind "(?i)pub_?sub"))
(public_field_definition name: (_) @bind value: (_) @_make (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))

; emits: topic.provides

; emits: topic.consumes
