; framework: rabbitmq   needs: "amqp091-go" "streadway/amqp"   emits: topic.provides

; q, err := ch.QueueDeclare("orders", ...): q.Name is the queue
(short_var_declaration
  left: (expression_list . (identifier) @bind)
  right: (expression_list (call_expression
    function: (selector_expression field: (field_identifier) @_declare)
    arguments: (argument_list . (_) @prefix)))
  (#eq? @_declare "QueueDeclare"))
((call_expression
  function: (selector_expression field: (field_identifier) @_consume)
  arguments: (argument_list . (selector_expression operand: (identifier) @object field: (field_identifier) @_name))) @site
  (#eq? @_consume "Consume")
  (#eq? @_name "Name")
  (#set! bare "")
  (#set! method "SUBSCRIBE"))

; ch.Consume("orders", consumer, ...)
((call_expression
  function: (selector_expression field: (field_identifier) @_consume)
  arguments: (argument_list . [(interpreted_string_literal) (identifier) (selector_expression)] @path)) @site
  (#eq? @_consume "Consume")
  (#not-match? @path "\\.Name$")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression field: (field_identifier) @_consume)
  arguments: (argument_list . (_) . (comment)* . [(interpreted_string_literal) (identifier) (selector_expression)] @path)) @site
  (#eq? @_consume "ConsumeWithContext")
  (#not-match? @path "\\.Name$")
  (#set! method "SUBSCRIBE"))
