; framework: rabbitmq   needs: "RabbitMQ"   emits: topic.provides

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
