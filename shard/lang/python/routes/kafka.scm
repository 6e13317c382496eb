; framework: kafka   needs: "kafka"   emits: topic.provides

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
