; framework: rabbitmq   needs: "amqp"   emits: topic.provides

; channel.consume("orders", handler)
((call_expression
  function: (member_expression property: (property_identifier) @_consume)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path . (_))) @site
  (#eq? @_consume "consume")
  (#set! method "SUBSCRIBE"))
