; framework: pubsub   needs: "@google-cloud/pubsub"   only: javascript

; What is handed to a function, or a field of a class.
(formal_parameters (identifier) @bind (#match? @bind "(?i)pub_?sub"))
(arrow_function parameter: (identifier) @bind (#match? @bind "(?i)pub_?sub"))
(field_definition property: (_) @bind (#match? @bind "(?i)pub_?sub"))
(field_definition property: (_) @bind value: (_) @_make (#match? @_make "^new\\s+(\\w+\\.)?PubSub\\b"))

; emits: topic.provides

; emits: topic.consumes
