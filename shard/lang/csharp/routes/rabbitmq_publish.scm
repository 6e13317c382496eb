; framework: rabbitmq   needs: "RabbitMQ"   emits: topic.consumes

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
