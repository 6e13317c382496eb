; framework: rabbitmq   needs: "amqp"

; rows client
;   (?s)^(?!new\\s).*\\.create(Confirm)?(Channel|Wrapper)\\( | (?i)(channel|channelWrapper)$|^ch$ | ^(amqp\\w*\\.)?(Confirm)?Channel(Wrapper)?\\b

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "\\.create(Confirm)?(Channel|Wrapper)$"))

; emits: topic.provides
; channel.consume("orders", handler)
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_consume)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression) (subscript_expression)] @path . (_))) @site
  (#eq? @_consume "consume")
  (#set! method "SUBSCRIBE"))
; rows unfollowed
;   (?i)(channel|channelWrapper)$ | "consume"

; channel.bindQueue(queue, 'events', 'orders.created'); a fanout has no key
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . (_) . (_) @exchange . [(string) (template_string) (identifier) (member_expression) (binary_expression) (subscript_expression)] @path)) @site
  (#eq? @_call "bindQueue")
  (#not-match? @path "^[\"']{2}$")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (_) . (_) @path . (string) @_key)) @site
  (#eq? @_call "bindQueue")
  (#match? @_key "^[\"']{2}$")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; channel.sendToQueue("orders", buffer), channel.publish("exchange", "key", buffer); without a key the exchange says it
((call_expression
  function: (member_expression property: (property_identifier) @_send)
  arguments: (arguments . (_) @path . (_))) @site
  (#eq? @_send "sendToQueue")
  (#not-match? @path "replyTo")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_publish)
  arguments: (arguments . (_) @exchange . [(string) (template_string) (identifier) (member_expression) (binary_expression) (subscript_expression)] @path . (_))) @site
  (#eq? @_publish "publish")
  (#not-match? @path "^(''|\"\")$|replyTo")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression object: [(identifier) @object (member_expression) @object (member_expression property: (property_identifier) @object)] property: (property_identifier) @_publish)
  arguments: (arguments . (_) @path . (string) @_key . (_))) @site
  (#eq? @_publish "publish")
  (#match? @_key "^(''|\"\")$")
  (#set! method "PUBLISH"))

; Whatever it is called on, what sends a buffer is a channel.
((call_expression
  function: (member_expression object: [(call_expression) (parenthesized_expression) (subscript_expression)] property: (property_identifier) @_publish)
  arguments: (arguments . (_) @exchange . [(string) (template_string) (identifier) (member_expression) (binary_expression) (subscript_expression)] @path . (call_expression function: (_) @_buffer))) @site
  (#eq? @_publish "publish")
  (#eq? @_buffer "Buffer.from")
  (#not-match? @path "^(''|\"\")$|replyTo")
  (#set! method "PUBLISH"))
; rows unfollowed
;   (?i)(channel|channelWrapper)$ | "publish"
