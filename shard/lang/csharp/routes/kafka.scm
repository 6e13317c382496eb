; framework: kafka   needs: "Confluent.Kafka"
; emits: topic.provides
(parameter type: (_) @_type name: (identifier) @bind (#match? @_type "^(Confluent\\.Kafka\\.)?IConsumer\\b"))
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind) (#match? @_type "^(Confluent\\.Kafka\\.)?IConsumer\\b"))
(property_declaration type: (_) @_type name: (identifier) @bind (#match? @_type "^(Confluent\\.Kafka\\.)?IConsumer\\b"))
(variable_declarator name: (identifier) @bind (_) @_make (#match? @_make "ConsumerBuilder"))
(assignment_expression left: [(identifier) (member_access_expression)] @bind right: (_) @_make (#match? @_make "ConsumerBuilder"))

; consumer.Subscribe("orders"), Subscribe(new[] { "orders" })
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_subscribe)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) .)) @site
  (#eq? @_subscribe "Subscribe")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_subscribe)
  arguments: (argument_list . (argument (_ (initializer_expression (_) @path))))) @site
  (#eq? @_subscribe "Subscribe")
  (#set! method "SUBSCRIBE"))

; What is not followed, but says what it is.
((invocation_expression
  function: (member_access_expression expression: [(identifier) (member_access_expression) (invocation_expression)] @_object name: (identifier) @_call)) @site
  (#any-of? @_call "Subscribe")
  (#match? @_object "(?i)consumer$")
  (#set! anyone ""))

; emits: topic.consumes
(parameter type: (_) @_type name: (identifier) @bind (#match? @_type "^(Confluent\\.Kafka\\.)?IProducer\\b"))
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind) (#match? @_type "^(Confluent\\.Kafka\\.)?IProducer\\b"))
(property_declaration type: (_) @_type name: (identifier) @bind (#match? @_type "^(Confluent\\.Kafka\\.)?IProducer\\b"))
(variable_declarator name: (identifier) @bind (_) @_make (#match? @_make "ProducerBuilder"))
(assignment_expression left: [(identifier) (member_access_expression)] @bind right: (_) @_make (#match? @_make "ProducerBuilder"))

; producer.ProduceAsync("orders", message), producer.Produce("orders", message, handler)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_produce)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) . (argument))) @site
  (#match? @_produce "^Produce(Async)?$")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is.
((invocation_expression
  function: (member_access_expression expression: [(identifier) (member_access_expression) (invocation_expression)] @_object name: (identifier) @_call)) @site
  (#any-of? @_call "Produce" "ProduceAsync")
  (#match? @_object "(?i)producer$")
  (#set! anyone ""))
