; framework: rabbitmq   needs: "lapin" "amqprs"
; emits: topic.provides
; channel.basic_consume("orders", ...), channel.queue_bind("orders", "exchange", "orders.created", ...)
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)) @site
  (#eq? @_call "basic_consume")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . (_) . (_) @exchange . [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)) @site
  (#eq? @_call "queue_bind")
  (#not-match? @path "^\"\"$")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; channel.basic_publish("exchange", "orders.created", ...)
((call_expression
  function: (field_expression value: (_) @_object field: (field_identifier) @_call)
  arguments: (arguments . (_) @exchange . [(string_literal) (identifier) (scoped_identifier) (field_expression) (reference_expression) (macro_invocation)] @path)) @site
  (#eq? @_call "basic_publish")
  (#not-match? @path "^\"\"$")
  (#set! method "PUBLISH"))
