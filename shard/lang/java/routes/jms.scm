; framework: jms
; emits: topic.provides   needs: "JmsListener"
; @JmsListener(destination = "orders")
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_key
    value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site
  (#eq? @_listener "JmsListener")
  (#eq? @_key "destination")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "JmsTemplate"
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "JmsTemplate" "JmsMessagingTemplate"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#any-of? @_type "JmsTemplate" "JmsMessagingTemplate"))
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . (_) @path . (_))) @site
  (#any-of? @_send "convertAndSend" "send")
  (#set! method "PUBLISH"))
