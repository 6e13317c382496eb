; framework: kafka   needs: "kafka"

; emits: topic.provides
; rows client
;   ^([\\w.]+\\.)?(AIO)?(Kafka)?(Deserializing)?Consumer\\( | ^(kafka_)?consumer$ | (^|\\.)(AIO)?(Kafka)?(Deserializing)?Consumer$

; KafkaConsumer("orders", "users", group_id=g)
((call
  function: [(identifier) (attribute)] @_make
  arguments: (argument_list [(string) (identifier) (attribute)] @path)) @site
  (#match? @_make "(^|\\.)(AIO)?KafkaConsumer$")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe(["orders"]), subscribe(topics=["orders"])
((call
  function: (attribute object: (_) @object attribute: (identifier) @_subscribe)
  arguments: (argument_list . (list (_) @path))) @site
  (#eq? @_subscribe "subscribe")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_subscribe)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (list (_) @path)))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topics")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe(pattern="^orders-.*")
; rows keywords
;   SUBSCRIBE | "subscribe" | pattern | expression

; emits: topic.consumes
; rows client
;   ^([\\w.]+\\.)?(AIO)?(Kafka)?(Serializing)?Producer\\( | ^(kafka_)?producer$ | (^|\\.)(AIO)?(Kafka)?(Serializing)?Producer$

; producer.send("orders", value=v), producer.produce("orders", value), topic= for either
; rows calls
;   PUBLISH | "send" "send_and_wait" "produce" | plain
; rows keywords
;   PUBLISH | "send" "send_and_wait" "produce" | topic | plain
