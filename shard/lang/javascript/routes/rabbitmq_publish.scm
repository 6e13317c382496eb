; framework: rabbitmq   needs: "amqp"   emits: topic.consumes

; channel.sendToQueue("orders", buffer), channel.publish("exchange", "key", buffer); without a key the exchange says it
((call_expression
  function: (member_expression property: (property_identifier) @_send)
  arguments: (arguments . (_) @path . (_))) @site
  (#eq? @_send "sendToQueue")
  (#not-match? @path "replyTo")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_publish)
  arguments: (arguments . (_) . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path . (_))) @site
  (#eq? @_publish "publish")
  (#not-match? @path "^(''|\"\")$|replyTo")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_publish)
  arguments: (arguments . (_) @path . (string) @_key . (_))) @site
  (#eq? @_publish "publish")
  (#match? @_key "^(''|\"\")$")
  (#set! method "PUBLISH"))
