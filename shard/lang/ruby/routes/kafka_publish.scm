; framework: kafka   needs: "kafka" "Kafka" "karafka" "Karafka"   emits: topic.consumes

; producer.produce(message, topic: "orders"), kafka.deliver_message(m, topic: "orders")
((call method: (identifier) @_produce arguments: (argument_list (pair key: (hash_key_symbol) @_key value: (_) @path))) @site
  (#any-of? @_produce "produce" "deliver_message" "produce_async" "produce_sync")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
