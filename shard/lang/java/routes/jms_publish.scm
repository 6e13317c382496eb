; framework: jms   needs: "JmsTemplate"   emits: topic.consumes

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
