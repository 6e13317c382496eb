; framework: rabbitmq   needs: "pika"   emits: topic.consumes

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
  arguments: (argument_list . (string) . [(string) (identifier) (attribute)] @path)) @site
  (#eq? @_publish "basic_publish")
  (#not-match? @path "^[\"']{2}$|reply_to")
  (#set! method "PUBLISH"))
