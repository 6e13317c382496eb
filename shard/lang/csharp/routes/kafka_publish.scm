; framework: kafka   needs: "Confluent.Kafka"   emits: topic.consumes

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
