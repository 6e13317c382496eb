; framework: kafka   needs: "kafka"   emits: topic.consumes

; producer.send({ topic: "orders", messages })
((call_expression
  function: (member_expression object: (_) @_producer property: (property_identifier) @_send)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#eq? @_send "send")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_send)
  arguments: (arguments . (object (shorthand_property_identifier) @path))) @site
  (#eq? @_send "send")
  (#eq? @path "topic")
  (#set! method "PUBLISH"))

; producer.sendBatch({ topicMessages: [{ topic: "orders", messages }] })
((call_expression
  function: (member_expression property: (property_identifier) @_send)
  arguments: (arguments . (object (pair value: (array (object (pair key: (property_identifier) @_key value: (_) @path))))))) @site
  (#eq? @_send "sendBatch")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
