; framework: rabbitmq   needs: "Bunny" "bunny" "sneakers" "Sneakers"
; emits: topic.provides
; channel.queue("orders").subscribe, queue.bind(exchange, routing_key: "orders.created"), from_queue "orders"
((call receiver: (call method: (identifier) @_queue arguments: (argument_list . (_) @path)) method: (identifier) @_subscribe) @site
  (#eq? @_queue "queue")
  (#any-of? @_subscribe "subscribe" "pop")
  (#set! method "SUBSCRIBE"))
((assignment left: (_) right: (call method: (identifier) @_queue arguments: (argument_list . (_) @path))) @site
  (#eq? @_queue "queue")
  (#set! method "SUBSCRIBE"))
((call method: (identifier) @_bind arguments: (argument_list (pair key: (hash_key_symbol) @_key value: (_) @path))) @site
  (#eq? @_bind "bind")
  (#eq? @_key "routing_key")
  (#set! method "SUBSCRIBE"))
((call !receiver method: (identifier) @_from arguments: (argument_list . (_) @path)) @site
  (#eq? @_from "from_queue")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; exchange.publish(message, routing_key: "orders.created")
((call method: (identifier) @_publish arguments: (argument_list (pair key: (hash_key_symbol) @_key value: (_) @path))) @site
  (#any-of? @_publish "publish" "basic_publish")
  (#any-of? @_key "routing_key" "to_queue")
  (#set! method "PUBLISH"))
