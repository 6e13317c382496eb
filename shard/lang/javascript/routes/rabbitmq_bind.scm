; framework: rabbitmq   needs: "amqp"   emits: topic.provides

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
