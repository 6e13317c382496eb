; framework: kafka   needs: "RdKafka"

; emits: topic.provides
((object_creation_expression) @_make @instance (#match? @_make "KafkaConsumer\\b|RdKafka"))
(simple_parameter type: (_) @_type name: (_) @bind (#match? @_type "KafkaConsumer$"))
(property_promotion_parameter type: (_) @_type name: (_) @bind (#match? @_type "KafkaConsumer$"))

; $consumer->subscribe(["orders"])
((member_call_expression
  object: (_) @object name: (name) @_call
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path))))) @site
  (#eq? @_call "subscribe")
  (#set! method "SUBSCRIBE"))

; What is not followed, but says what it is: $this->consumer
((member_call_expression object: [(variable_name) (member_access_expression)] @_object name: (name) @_call) @site
  (#eq? @_call "subscribe")
  (#match? @_object "(?i)(kafka|consumer)$")
  (#set! anyone ""))

; emits: topic.consumes
; $producer->newTopic("orders")
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#eq? @_call "newTopic")
  (#set! method "PUBLISH"))
