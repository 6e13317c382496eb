; framework: rabbitmq   needs: "Bunny" "bunny" "sneakers" "Sneakers"   emits: topic.consumes

; exchange.publish(message, routing_key: "orders.created")
((call method: (identifier) @_publish arguments: (argument_list (pair key: (hash_key_symbol) @_key value: (_) @path))) @site
  (#any-of? @_publish "publish" "basic_publish")
  (#any-of? @_key "routing_key" "to_queue")
  (#set! method "PUBLISH"))
