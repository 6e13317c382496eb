; framework: rabbitmq   needs: "pika" "kombu"   emits: topic.provides

; channel.queue_bind(exchange='events', queue=q, routing_key='orders.created'), queue.bind(exchange, routing_key='orders.created'); a fanout has no key
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "queue_bind" "bind")
  (#eq? @_key "routing_key")
  (#not-match? @path "^[\"']{2}$")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . (_) . (_) @exchange . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#eq? @_call "queue_bind")
  (#not-match? @path "^[\"']{2}$")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path)) @_arguments) @site
  (#eq? @_call "queue_bind")
  (#eq? @_key "exchange")
  (#not-match? @_arguments "routing_key\\s*=\\s*(?!['\"]{2})")
  (#set! method "SUBSCRIBE"))

; The exchange, whatever its place.
((call
  function: (attribute attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @exchange))) @site
  (#any-of? @_call "queue_bind" "bind")
  (#eq? @_key "exchange"))
((call
  function: (attribute attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute)] @exchange . (keyword_argument name: (identifier) @_key))) @site
  (#eq? @_call "bind")
  (#eq? @_key "routing_key"))
