; framework: rabbitmq   needs: "RabbitMQ"   emits: topic.provides

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
