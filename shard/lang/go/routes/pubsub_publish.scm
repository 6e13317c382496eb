; framework: pubsub   needs: "cloud.google.com/go/pubsub"   emits: topic.consumes

; client.Topic("orders")
((call_expression
  function: (selector_expression operand: (_) @_object field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Topic" "Publisher")
  (#set! method "PUBLISH"))
