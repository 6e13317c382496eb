; framework: kafka   needs: "kafka"   emits: topic.provides

; consumer.subscribe({ topic: "orders" }), { topics: ["orders", "users"] }
((call_expression
  function: (member_expression property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topic")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (shorthand_property_identifier) @path))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @path "topic")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (array (_) @path))))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topics")
  (#set! method "SUBSCRIBE"))
