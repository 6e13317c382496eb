; framework: nest_messages
; emits: topic.provides   needs: "MessagePattern" "EventPattern"
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

; emits: topic.consumes   needs: "ClientProxy" "ClientKafka"
; What is a client: parameters and fields of its type.
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @_type)
  (#any-of? @_type "ClientProxy" "ClientKafka" "ClientRMQ"))
(public_field_definition name: (property_identifier) @bind type: (type_annotation (_) @_type)
  (#any-of? @_type "ClientProxy" "ClientKafka" "ClientRMQ"))

; this.client.emit('order_created', data), this.client.send({ cmd: 'sum' }, data)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_emit)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path . (_))) @site
  (#any-of? @_emit "emit" "send")
  (#set! method "PUBLISH"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_emit)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)) . (_))) @site
  (#any-of? @_emit "emit" "send")
  (#eq? @_key "cmd")
  (#set! method "PUBLISH"))
