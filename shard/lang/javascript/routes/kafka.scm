; framework: kafka   needs: "kafka"

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "\\.(consumer|producer)$"))

; emits: topic.provides
; rows client
;   \\.consumer\\( | (?i)consumer$|kafka | ^(\\w+\\.)?Consumer$

; consumer.subscribe({ topic: "orders" }), { topics: ["orders", "users"] }
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: [(string) (template_string) (identifier) (member_expression) (binary_expression) (call_expression) (subscript_expression)] @path)))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topic")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (shorthand_property_identifier) @path))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @path "topic")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (array [(string) (template_string) (identifier) (member_expression) (binary_expression) (call_expression) (subscript_expression)] @path))))) @site
  (#eq? @_subscribe "subscribe")
  (#eq? @_key "topics")
  (#set! style "plain")
  (#set! method "SUBSCRIBE"))

; consumer.subscribe({ topic: /^orders-.*/ }), { topics: [/orders/] }
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_subscribe)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: [
    (regex (regex_pattern) @path) (array (regex (regex_pattern) @path))])))) @site
  (#eq? @_subscribe "subscribe")
  (#any-of? @_key "topic" "topics")
  (#set! word "")
  (#set! style "expression-within")
  (#set! method "SUBSCRIBE"))
; rows unfollowed
;   (?i)(consumer|producer)$ | "subscribe"

; emits: topic.consumes
; rows client
;   \\.producer\\( | (?i)producer$|kafka | ^(\\w+\\.)?Producer$

; producer.send({ topic: "orders", messages })
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_send)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#eq? @_send "send")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_send)
  arguments: (arguments . (object (shorthand_property_identifier) @path))) @site
  (#eq? @_send "send")
  (#eq? @path "topic")
  (#set! method "PUBLISH"))

; producer.sendBatch({ topicMessages: [{ topic: "orders", messages }] })
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_send)
  arguments: (arguments . (object (pair value: (array (object (pair key: (property_identifier) @_key value: (_) @path))))))) @site
  (#eq? @_send "sendBatch")
  (#eq? @_key "topic")
  (#set! method "PUBLISH"))
; rows unfollowed
;   (?i)(consumer|producer)$ | "send" "sendBatch"
