; framework: kafka   needs: "kafka" "Kafka" "karafka" "Karafka"
; emits: topic.provides
; consumer.subscribe("orders"), topic :orders do (Karafka)
((call
  receiver: (_) @_object method: (identifier) @_call
  arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (instance_variable)] @path)) @site
  (#any-of? @_call "subscribe" "each_message")
  (#match? @_object "(?i)kafka|consumer")
  (#set! method "SUBSCRIBE"))
((call !receiver method: (identifier) @_topic arguments: (argument_list . (simple_symbol) @path) block: (_)) @site
  (#eq? @_topic "topic")
  (#set! word "")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; producer.produce(message, topic: "orders"), kafka.deliver_message(m, topic: "orders")
((call method: (identifier) @_produce arguments: (argument_list (pair key: (hash_key_symbol) @_key value: (_) @path))) @site
  (#any-of? @_produce "produce" "deliver_message" "produce_async" "produce_sync")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
