; framework: pubsub   needs: "google.cloud"   emits: topic.forwards

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
