; framework: kafka   needs: "KafkaTemplate" "kafka.clients" "KafkaOperations" "KafkaClient"   emits: topic.consumes

(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(Reactive)?(Reply(ing)?)?Kafka(Producer)?(Template|Operations)\\b"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#match? @_type "^(Reactive)?(Reply(ing)?)?Kafka(Producer)?(Template|Operations)\\b"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#match? @_type "^(Reactive)?(Reply(ing)?)?Kafka(Producer)?(Template|Operations)\\b"))

; template.send("orders", key, message)
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . [(string_literal) (identifier) (field_access) (binary_expression) (method_invocation)] @path . (_))) @site
  (#eq? @_send "send")
  (#set! method "PUBLISH"))

; new ProducerRecord<>("orders", message)
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (_) @path . (_))) @site
  (#match? @_type "^ProducerRecord\\b")
  (#set! method "PUBLISH"))

; Micronaut: @Topic("orders") on a method of what is a @KafkaClient
(interface_declaration
  (modifiers [(annotation name: (identifier) @_client) (marker_annotation name: (identifier) @_client)])
  body: (interface_body (method_declaration (modifiers (annotation
    name: (identifier) @_topic arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site)))
  (#eq? @_client "KafkaClient")
  (#eq? @_topic "Topic")
  (#set! method "PUBLISH"))
