; framework: rabbitmq   needs: "amqp091-go" "streadway/amqp"   emits: topic.provides

; ch.QueueBind(q.Name, "orders.created", "events", false, nil); a fanout has no key
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path . (comment)* . (_) @exchange)) @site
  (#eq? @_call "QueueBind")
  (#not-match? @path "^\"\"$")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression field: (field_identifier) @_call)
  arguments: (argument_list . (_) . (comment)* . (interpreted_string_literal) @_key . (comment)* . (_) @path)) @site
  (#eq? @_call "QueueBind")
  (#eq? @_key "\"\"")
  (#set! method "SUBSCRIBE"))
