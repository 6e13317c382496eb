; framework: jms   needs: "JmsListener" "SqsListener"   emits: topic.provides

; @JmsListener(destination = "orders"), @SqsListener("orders")
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site
  (#any-of? @_listener "JmsListener" "SqsListener")
  (#any-of? @_key "destination" "value" "queueNames")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site
  (#eq? @_listener "SqsListener")
  (#set! method "SUBSCRIBE"))
