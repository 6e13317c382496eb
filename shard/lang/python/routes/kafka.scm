; framework: kafka   needs: "kafka"
; emits: topic.provides
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: [(identifier) (attribute)] @_make)
  (#match? @_make "(^|\\.)(AIO)?(Kafka)?(Deserializing)?Consumer$"))

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
((call
  function: (attribute object: (_) @object attribute: (identifier) @_subscribe)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "pattern")
  (#set! style "expression")
  (#set! method "SUBSCRIBE"))
(parameters (identifier) @bind (#match? @bind "^(kafka_)?consumer$"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "(^|\\.)(AIO)?(Kafka)?(Deserializing)?Consumer$"))

; emits: topic.consumes
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: [(identifier) (attribute)] @_make)
  (#match? @_make "(^|\\.)(AIO)?(Kafka)?(Serializing)?Producer$"))
(parameters (identifier) @bind (#match? @bind "^(kafka_)?producer$"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "(^|\\.)(AIO)?(Kafka)?(Serializing)?Producer$"))

; producer.send("orders", value=v), producer.produce("orders", value), topic= for either
((call
  function: (attribute object: (_) @object attribute: (identifier) @_send)
  arguments: (argument_list . [(string) (identifier) (attribute) (concatenated_string)] @path)) @site
  (#any-of? @_send "send" "send_and_wait" "produce")
  (#set! method "PUBLISH"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_send)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_send "send" "send_and_wait" "produce")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
