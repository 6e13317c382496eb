; framework: rabbitmq   needs: "amqp091-go" "streadway/amqp"

; What is a channel: by its type, made by a connection, or of a type of one's own and called so.
(parameter_declaration name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?amqp\\w*\\.Channel$"))
(field_declaration name: (field_identifier) @bind type: (_) @_type (#match? @_type "^\\*?amqp\\w*\\.Channel$"))
(var_spec name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?amqp\\w*\\.Channel$"))
(parameter_declaration name: (identifier) @bind (#match? @bind "(?i)(amqp|channel)$|^ch$"))
(field_declaration name: (field_identifier) @bind (#match? @bind "(?i)(amqp|channel)$|^ch$"))
((call_expression function: (selector_expression field: (field_identifier) @_make)) @instance (#match? @_make "Channel$"))

; q, err := ch.QueueDeclare("orders", ...): q.Name is the queue
(short_var_declaration
  left: (expression_list . (identifier) @bind)
  right: (expression_list (call_expression
    function: (selector_expression field: (field_identifier) @_declare)
    arguments: (argument_list . (_) @prefix)))
  (#eq? @_declare "QueueDeclare"))

; emits: topic.provides
((call_expression
  function: (selector_expression field: (field_identifier) @_consume)
  arguments: (argument_list . (selector_expression operand: (identifier) @object field: (field_identifier) @_name))) @site
  (#eq? @_consume "Consume")
  (#eq? @_name "Name")
  (#set! bare "")
  (#set! method "SUBSCRIBE"))

; ch.Consume("orders", consumer, ...)
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_consume)
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

; What is not followed, but says what it is: c.conn.Channel
((call_expression function: (selector_expression operand: (selector_expression field: (_) @_object) field: (field_identifier) @_call)) @site
  (#eq? @_call "Consume")
  (#match? @_object "(?i)channel$|^ch$")
  (#set! anyone ""))

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

; emits: topic.consumes
; ch.Publish("exchange", "key", ...); without a key the exchange says it
((call_expression
  function: (selector_expression field: (field_identifier) @_publish)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] . (comment)* . (selector_expression operand: (identifier) @object field: (field_identifier) @_name))) @site
  (#eq? @_publish "Publish")
  (#eq? @_name "Name")
  (#set! bare "")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_publish)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @exchange . (comment)* . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#eq? @_publish "Publish")
  (#not-match? @path "(\\.Name|\\.ReplyTo|^\"\")$")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_publish)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path . (comment)* . (interpreted_string_literal) @_key)) @site
  (#eq? @_publish "Publish")
  (#eq? @_key "\"\"")
  (#set! method "PUBLISH"))

; ch.PublishWithContext(ctx, "exchange", "key", ...); without a key the exchange says it
((call_expression
  function: (selector_expression field: (field_identifier) @_publish)
  arguments: (argument_list . (_) . (comment)* . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] . (comment)* . (selector_expression operand: (identifier) @object field: (field_identifier) @_name))) @site
  (#eq? @_publish "PublishWithContext")
  (#eq? @_name "Name")
  (#set! bare "")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression field: (field_identifier) @_publish)
  arguments: (argument_list . (_) . (comment)* . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @exchange . (comment)* . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#eq? @_publish "PublishWithContext")
  (#not-match? @path "(\\.Name|\\.ReplyTo|^\"\")$")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression field: (field_identifier) @_publish)
  arguments: (argument_list . (_) . (comment)* . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path . (comment)* . (interpreted_string_literal) @_key)) @site
  (#eq? @_publish "PublishWithContext")
  (#eq? @_key "\"\"")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is: c.conn.Channel
((call_expression function: (selector_expression operand: (selector_expression field: (_) @_object) field: (field_identifier) @_call)) @site
  (#eq? @_call "Publish")
  (#match? @_object "(?i)channel$|^ch$")
  (#set! anyone ""))
