; framework: amqp   needs: "'rhea" "@azure/service-bus"
; emits: topic.provides
; Azure Service Bus: client.createReceiver("orders"); AMQP 1.0: connection.open_receiver("orders"), open_receiver({ source: { address: "orders" } })
((call_expression
  function: (member_expression property: (property_identifier) @_open)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path)) @site
  (#any-of? @_open "open_receiver" "createReceiver")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (member_expression property: (property_identifier) @_open)
  arguments: (arguments . (object (pair key: (property_identifier) @_end value: [
    (string) @path (template_string) @path (identifier) @path (member_expression) @path
    (object (pair key: (property_identifier) @_address value: (_) @path))])))) @site
  (#eq? @_open "open_receiver")
  (#eq? @_end "source")
  (#match? @_address "^address$")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; Azure Service Bus: client.createSender("orders"); AMQP 1.0: connection.open_sender("orders"), open_sender({ target: { address: "orders" } })
((call_expression
  function: (member_expression property: (property_identifier) @_open)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path)) @site
  (#any-of? @_open "open_sender" "createSender")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression property: (property_identifier) @_open)
  arguments: (arguments . (object (pair key: (property_identifier) @_end value: [
    (string) @path (template_string) @path (identifier) @path (member_expression) @path
    (object (pair key: (property_identifier) @_address value: (_) @path))])))) @site
  (#eq? @_open "open_sender")
  (#eq? @_end "target")
  (#match? @_address "^address$")
  (#set! style "aws")
  (#set! method "PUBLISH"))
