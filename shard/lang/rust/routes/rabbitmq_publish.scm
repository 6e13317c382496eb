; framework: rabbitmq   needs: "lapin" "amqprs"   emits: topic.consumes

; channel.basic_publish("exchange", "orders.created", ...)
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . (_) @exchange . [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)) @site
  (#eq? @_call "basic_publish")
  (#not-match? @path "^\"\"$")
  (#set! method "PUBLISH"))
