; framework: rabbitmq   needs: "RabbitMQ"
; emits: topic.provides
; channel.BasicConsume(queue: "orders", ...), BasicConsume("orders", ...)
((invocation_expression
  function: (member_access_expression name: (identifier) @_consume)
  arguments: (argument_list (argument name: (identifier) @_key (_) @path .))) @site
  (#match? @_consume "^BasicConsume(Async)?$")
  (#eq? @_key "queue")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_consume)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .))) @site
  (#match? @_consume "^BasicConsume(Async)?$")
  (#set! method "SUBSCRIBE"))

; channel.QueueBind(queue: q, exchange: "events", routingKey: "orders.created"); a fanout has no key
((invocation_expression
  function: (member_access_expression expression: (_) @_object name: (identifier) @_call)
  arguments: (argument_list . (argument) . (argument (_) @exchange .) . (argument . [(string_literal) (identifier) (member_access_expression) (interpolated_string_expression)] @path .))) @site
  (#any-of? @_call "QueueBind" "QueueBindAsync")
  (#not-match? @path "^(\"\"|string\\.Empty)$")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list (argument name: (identifier) @_key (_) @path .))) @site
  (#any-of? @_call "QueueBind" "QueueBindAsync")
  (#eq? @_key "routingKey")
  (#not-match? @path "^(\"\"|string\\.Empty)$")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list (argument name: (identifier) @_key (_) @path .)) @_arguments) @site
  (#any-of? @_call "QueueBind" "QueueBindAsync")
  (#eq? @_key "exchange")
  (#match? @_arguments "routingKey:\\s*(\"\"|string\\.Empty)")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list . (argument) . (argument . [(string_literal) (identifier) (member_access_expression)] @path .) . (argument . (_) @_empty .))) @site
  (#any-of? @_call "QueueBind" "QueueBindAsync")
  (#match? @_empty "^(\"\"|string\\.Empty)$")
  (#set! method "SUBSCRIBE"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list (argument name: (identifier) @_key (_) @exchange .))) @site
  (#any-of? @_call "QueueBind" "QueueBindAsync")
  (#eq? @_key "exchange"))

; emits: topic.consumes
; channel.BasicPublish(exchange: "", routingKey: "orders", ...), BasicPublish("", "orders", ...)
((invocation_expression
  function: (member_access_expression name: (identifier) @_publish)
  arguments: (argument_list (argument name: (identifier) @_key (_) @path .))) @site
  (#match? @_publish "^BasicPublish(Async)?$")
  (#eq? @_key "routingKey")
  (#not-match? @path "^(\"\"|string\\.Empty)$|ReplyTo")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_publish)
  arguments: (argument_list
    (argument name: (identifier) @_exchange (_) @path .)
    (argument name: (identifier) @_key (_) @_empty .))) @site
  (#match? @_publish "^BasicPublish(Async)?$")
  (#eq? @_exchange "exchange")
  (#eq? @_key "routingKey")
  (#match? @_empty "^(\"\"|string\\.Empty)$")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_publish)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @exchange .)
    . (argument . [(string_literal) (identifier) (member_access_expression)] @path .))) @site
  (#match? @_publish "^BasicPublish(Async)?$")
  (#not-match? @path "^(\"\"|string\\.Empty)$|ReplyTo")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_publish)
  arguments: (argument_list . (argument . [(string_literal) (identifier) (member_access_expression)] @path .)
    . (argument . (_) @_empty .))) @site
  (#match? @_publish "^BasicPublish(Async)?$")
  (#match? @_empty "^(\"\"|string\\.Empty)$")
  (#not-match? @path "^(\"\"|string\\.Empty)$")
  (#set! method "PUBLISH"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_publish)
  arguments: (argument_list (argument name: (identifier) @_key (_) @exchange .))) @site
  (#match? @_publish "^BasicPublish(Async)?$")
  (#eq? @_key "exchange"))
