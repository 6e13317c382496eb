; framework: pubsub   needs: "@google-cloud/pubsub"   emits: topic.forwards

; pubsub.topic('orders').createSubscription('billing')
((call_expression
  function: (member_expression
    object: (call_expression
      function: (member_expression property: (property_identifier) @_topic)
      arguments: (arguments . (_) @path))
    property: (property_identifier) @_create)
  arguments: (arguments . (_) @queue)) @site
  (#eq? @_topic "topic")
  (#eq? @_create "createSubscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
