; framework: rabbitmq   needs: "PhpAmqpLib"
; emits: topic.provides
; $channel->basic_consume("orders", ...), $channel->queue_bind("orders", "exchange", "orders.created")
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#eq? @_call "basic_consume")
  (#set! method "SUBSCRIBE"))
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument) . (argument (_) @exchange) . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#eq? @_call "queue_bind")
  (#not-match? @path "^[\"']{2}$")
  (#set! method "SUBSCRIBE"))
((member_call_expression
  name: (name) @_call
  arguments: (arguments . (argument) . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression)] @path) .)) @site
  (#eq? @_call "queue_bind")
  (#set! method "SUBSCRIBE"))
((member_call_expression
  name: (name) @_call
  arguments: (arguments . (argument) . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression)] @path) . (argument (string) @_key))) @site
  (#eq? @_call "queue_bind")
  (#match? @_key "^[\"']{2}$")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; $channel->basic_publish($message, "exchange", "orders.created"); without a key the exchange says it
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument) . (argument (_) @exchange) . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#eq? @_call "basic_publish")
  (#not-match? @path "^[\"']{2}$")
  (#set! method "PUBLISH"))
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument) . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .) .)) @site
  (#eq? @_call "basic_publish")
  (#not-match? @path "^[\"']{2}$")
  (#set! method "PUBLISH"))
