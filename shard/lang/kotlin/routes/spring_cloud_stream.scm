; framework: spring_cloud_stream   needs: "Bean" "StreamBridge"   emits: topic.provides

; A bean that is a function is bound by settings: process-in-0.
(function_declaration
  (modifiers (annotation (user_type (type_identifier) @_bean)))
  (simple_identifier) @path @handler
  (function_value_parameters)
  (user_type . (type_identifier) @_type)
  (#eq? @_bean "Bean")
  (#match? @_type "^(Function|BiFunction|Consumer|BiConsumer)$")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.@-in-0.destination")
  (#set! method "SUBSCRIBE")) @site
(function_declaration
  (modifiers (annotation (user_type (type_identifier) @_bean)))
  (simple_identifier) @path @handler
  (function_value_parameters)
  (function_type) @_type
  (#eq? @_bean "Bean")
  (#match? @_type "^\\([^)]")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.@-in-0.destination")
  (#set! method "SUBSCRIBE")) @site
