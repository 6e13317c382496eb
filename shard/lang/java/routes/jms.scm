; framework: jms   needs: "JmsListener"   emits: topic.provides

; @JmsListener(destination = "orders")
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site
  (#eq? @_listener "JmsListener")
  (#eq? @_key "destination")
  (#set! method "SUBSCRIBE"))
