; framework: pubsub   needs: "@google-cloud/pubsub"   emits: topic.consumes

; pubsub.topic('orders').publishMessage(m)
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression) (binary_expression)] @path)) @site
  (#eq? @_call "topic")
  (#set! method "PUBLISH"))
