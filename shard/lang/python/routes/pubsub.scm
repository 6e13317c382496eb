; framework: pubsub   needs: "google.cloud"   emits: topic.provides

; subscriber.subscription_path(project, "orders-sub")
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . (_) . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#eq? @_call "subscription_path")
  (#set! method "SUBSCRIBE"))
