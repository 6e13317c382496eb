; framework: pubsub   needs: "@google-cloud/pubsub"
; emits: topic.provides
; rows client
;   ^new\\s+(\\w+\\.)?PubSub\\b | (?i)pub_?sub | PubSub
((new_expression constructor: (_) @_make) @instance (#match? @_make "(^|\\.)PubSub$"))
; pubsub.subscription('orders'), new PubSub().subscription('orders')
; rows calls
;   SUBSCRIBE | "subscription" | aws
; rows unfollowed
;   (?i)pub_?sub$ | "subscription"

; emits: topic.consumes
; rows client
;   ^new\\s+(\\w+\\.)?PubSub\\b | (?i)pub_?sub | PubSub
((new_expression constructor: (_) @_make) @instance (#match? @_make "(^|\\.)PubSub$"))
; pubsub.topic('orders'), new PubSub().topic('orders')
; rows calls
;   PUBLISH | "topic" | aws
; rows unfollowed
;   (?i)pub_?sub$ | "topic"

; emits: topic.forwards
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
