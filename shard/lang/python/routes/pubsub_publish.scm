; framework: pubsub   needs: "google.cloud"   emits: topic.consumes

; publisher.topic_path(project, "orders")
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . (_) . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#eq? @_call "topic_path")
  (#match? @_object "(?i)pub")
  (#set! method "PUBLISH"))
