; framework: pubsub   needs: "google.cloud"

; emits: topic.provides
; rows client
;   ^([\\w.]+\\.)?SubscriberClient\\( | ^subscriber$ | (^|\\.)SubscriberClient$

; subscriber.subscribe(subscriber.subscription_path(project, "orders"), callback=f), pull(request={"subscription": path})
; rows calls
;   SUBSCRIBE | "subscribe" "pull" | aws
; rows keywords
;   SUBSCRIBE | "subscribe" "pull" | subscription | aws
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (string (string_content) @_key) value: (_) @path))))) @site
  (#any-of? @_call "subscribe" "pull")
  (#any-of? @_key "subscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; rows client
;   ^([\\w.]+\\.)?PublisherClient\\( | ^publisher$ | (^|\\.)PublisherClient$

; publisher.publish(publisher.topic_path(project, "orders"), data), publish(topic=path)
; rows calls
;   PUBLISH | "publish" | aws
; rows keywords
;   PUBLISH | "publish" | topic | aws
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (string (string_content) @_key) value: (_) @path))))) @site
  (#any-of? @_call "publish")
  (#any-of? @_key "topic")
  (#set! style "aws")
  (#set! method "PUBLISH"))

; emits: topic.forwards
; subscriber.create_subscription(name=subscription, topic=topic), create_subscription(request={"name": …, "topic": …})
((call
  function: (attribute attribute: (identifier) @_create)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#eq? @_create "create_subscription")
  (#eq? @_key "topic")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_create)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @queue))) @site
  (#eq? @_create "create_subscription")
  (#eq? @_key "name"))
((call
  function: (attribute attribute: (identifier) @_create)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (string (string_content) @_key) value: (_) @path))))) @site
  (#eq? @_create "create_subscription")
  (#eq? @_key "topic")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute attribute: (identifier) @_create)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (string (string_content) @_key) value: (_) @queue))))) @site
  (#eq? @_create "create_subscription")
  (#eq? @_key "name"))
