; framework: kafka   needs: "RdKafka"   emits: topic.consumes

; $producer->newTopic("orders")
((member_call_expression
  object: (_) @_object name: (name) @_call
  arguments: (arguments . (argument [(string) (encapsed_string) (variable_name) (class_constant_access_expression) (member_access_expression) (function_call_expression)] @path .))) @site
  (#eq? @_call "newTopic")
  (#set! method "PUBLISH"))
