; framework: nest_messages   needs: "ClientProxy" "ClientKafka"   emits: topic.consumes

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
