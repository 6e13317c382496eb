; framework: nest_messages   needs: "MessagePattern" "EventPattern"   emits: topic.provides

; @EventPattern('order_created') handle(data) {}
(class_body
  (decorator (call_expression
    function: (identifier) @_pattern
    arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path))) @site
  . (decorator)*
  . (method_definition name: (property_identifier) @handler)
  (#any-of? @_pattern "MessagePattern" "EventPattern")
  (#set! method "SUBSCRIBE"))
(class_body
  (decorator (call_expression
    function: (identifier) @_pattern
    arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path))))) @site
  . (decorator)*
  . (method_definition name: (property_identifier) @handler)
  (#any-of? @_pattern "MessagePattern" "EventPattern")
  (#eq? @_key "cmd")
  (#set! method "SUBSCRIBE"))
