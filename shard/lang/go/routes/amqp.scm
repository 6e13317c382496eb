; framework: amqp   needs: "Azure/go-amqp" "azservicebus" "pack.ag/amqp"
; emits: topic.provides
; AMQP 1.0: session.NewReceiver(ctx, "orders", nil); Azure Service Bus: client.NewReceiverForQueue("orders", nil)
((call_expression
  function: (selector_expression field: (field_identifier) @_new)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (identifier) (selector_expression)] @path . (_) .)) @site
  (#eq? @_new "NewReceiver")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call_expression
  function: (selector_expression field: (field_identifier) @_new)
  arguments: (argument_list . [(interpreted_string_literal) (identifier) (selector_expression)] @path . (_) .)) @site
  (#any-of? @_new "NewReceiverForQueue" "NewReceiverForQueue")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; AMQP 1.0: session.NewSender(ctx, "orders", nil); Azure Service Bus: client.NewSender("orders", nil)
((call_expression
  function: (selector_expression field: (field_identifier) @_new)
  arguments: (argument_list . (_) . [(interpreted_string_literal) (identifier) (selector_expression)] @path . (_) .)) @site
  (#eq? @_new "NewSender")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call_expression
  function: (selector_expression field: (field_identifier) @_new)
  arguments: (argument_list . [(interpreted_string_literal) (identifier) (selector_expression)] @path . (_) .)) @site
  (#any-of? @_new "NewSender" "NewSender")
  (#set! style "aws")
  (#set! method "PUBLISH"))
