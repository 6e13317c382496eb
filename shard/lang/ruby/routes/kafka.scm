; framework: kafka   needs: "kafka" "Kafka" "karafka" "Karafka"   emits: topic.provides

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
