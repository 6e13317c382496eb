; framework: rabbitmq
; emits: topic.provides   needs: "pika"
; channel.basic_consume(queue="orders", on_message_callback=f), basic_consume("orders", f)
((call
  function: (attribute attribute: (identifier) @_consume)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_consume "basic_consume" "consume")
  (#eq? @_key "queue")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_consume)
  arguments: (argument_list . [(string) (identifier) (attribute) (concatenated_string)] @path)) @site
  (#eq? @_consume "basic_consume")
  (#not-match? @path "callback|on_")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_consume)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @handler))) @site
  (#eq? @_consume "basic_consume")
  (#eq? @_key "on_message_callback"))

; emits: topic.consumes   needs: "pika" "kombu"
; channel.basic_publish(exchange="", routing_key="orders", body=b); without a key the exchange says it
((call
  function: (attribute attribute: (identifier) @_publish)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#eq? @_publish "basic_publish")
  (#eq? @_key "routing_key")
  (#not-match? @path "^[\"']{2}$|reply_to")
  (#set! method "PUBLISH"))
((call
  function: (attribute attribute: (identifier) @_publish)
  arguments: (argument_list
    (keyword_argument name: (identifier) @_exchange value: (_) @path)
    (keyword_argument name: (identifier) @_key value: (_) @_empty))) @site
  (#eq? @_publish "basic_publish")
  (#eq? @_exchange "exchange")
  (#eq? @_key "routing_key")
  (#match? @_empty "^[\"']{2}$")
  (#set! method "PUBLISH"))
((call
  function: (attribute attribute: (identifier) @_publish)
  arguments: (argument_list . [(string) (identifier) (attribute)] @exchange . [(string) (identifier) (attribute)] @path)) @site
  (#eq? @_publish "basic_publish")
  (#not-match? @path "^[\"']{2}$|reply_to")
  (#set! method "PUBLISH"))

; The exchange, whatever its place.
((call
  function: (attribute attribute: (identifier) @_publish)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @exchange))) @site
  (#any-of? @_publish "basic_publish" "publish")
  (#eq? @_key "exchange"))

; aio_pika: exchange.publish(message, routing_key="orders.created"), channel.default_exchange.publish(…); kombu: producer.publish(body, …)
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_publish)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#eq? @_publish "publish")
  (#match? @_object "(?i)(exchange|producer)\\)?$")
  (#eq? @_key "routing_key")
  (#not-match? @path "^[\"']{2}$|reply_to")
  (#set! method "PUBLISH"))
