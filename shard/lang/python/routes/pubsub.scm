; framework: pubsub   needs: "google.cloud"
; emits: topic.provides
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: [(identifier) (attribute)] @_make)
  (#match? @_make "(^|\\.)SubscriberClient$"))
(as_pattern (call function: (_) @_make) alias: (as_pattern_target (identifier) @bind) (#match? @_make "(^|\\.)SubscriberClient$"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "(^|\\.)SubscriberClient$"))
(parameters (identifier) @bind (#eq? @bind "subscriber"))

; subscriber.subscribe(subscriber.subscription_path(project, "orders"), callback=f), pull(request={"subscription": path})
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript) (binary_operator)] @path)) @site
  (#any-of? @_call "subscribe" "pull")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "subscribe" "pull")
  (#any-of? @_key "subscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument value: (dictionary (pair key: (string (string_content) @_key) value: (_) @path))))) @site
  (#any-of? @_call "subscribe" "pull")
  (#any-of? @_key "subscription")
  (#set! style "aws")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: [(identifier) (attribute)] @_make)
  (#match? @_make "(^|\\.)PublisherClient$"))
(as_pattern (call function: (_) @_make) alias: (as_pattern_target (identifier) @bind) (#match? @_make "(^|\\.)PublisherClient$"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "(^|\\.)PublisherClient$"))
(parameters (identifier) @bind (#eq? @bind "publisher"))

; publisher.publish(publisher.topic_path(project, "orders"), data), publish(topic=path)
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript) (binary_operator)] @path)) @site
  (#any-of? @_call "publish")
  (#set! style "aws")
  (#set! method "PUBLISH"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site
  (#any-of? @_call "publish")
  (#any-of? @_key "topic")
  (#set! style "aws")
  (#set! method "PUBLISH"))
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
