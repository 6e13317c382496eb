; framework: pubsub   needs: "@google-cloud/pubsub"   emits: topic.provides

; pubsub.topic('orders').subscription('x'), pubsub.subscription('orders-sub')
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#eq? @_call "subscription")
  (#set! method "SUBSCRIBE"))
