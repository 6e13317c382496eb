; framework: kafka   needs: "RdKafka"   emits: topic.provides

; $consumer->subscribe(["orders"])
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path))))) @site
  (#eq? @_call "subscribe")
  (#set! method "SUBSCRIBE"))
