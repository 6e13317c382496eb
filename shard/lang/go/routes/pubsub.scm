; framework: pubsub   needs: "cloud.google.com/go/pubsub"

(parameter_declaration name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?pubsub\\.Client$"))
(field_declaration name: (field_identifier) @bind type: (_) @_type (#match? @_type "^\\*?pubsub\\.Client$"))
(var_spec name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?pubsub\\.Client$"))
((call_expression function: (_) @_make) @instance (#match? @_make "^pubsub\\.NewClient(WithConfig)?$"))

; emits: topic.provides
; client.Subscription("orders-sub")
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Subscription" "Subscriber")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; client.Topic("orders")
((call_expression
  function: (selector_expression operand: [(identifier) @object (selector_expression) @object (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_call)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (identifier) (selector_expression) (call_expression) (binary_expression)] @path)) @site
  (#any-of? @_call "Topic" "Publisher")
  (#set! method "PUBLISH"))
