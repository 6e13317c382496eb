; framework: spring_cloud_stream   needs: "Bean" "StreamBridge"
; emits: topic.provides
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

; emits: topic.consumes
; A bean that is a function is bound by settings: process-out-0.
(function_declaration
  (modifiers (annotation (user_type (type_identifier) @_bean)))
  (simple_identifier) @path @handler
  (function_value_parameters)
  (user_type . (type_identifier) @_type)
  (#eq? @_bean "Bean")
  (#match? @_type "^(Function|BiFunction|Supplier)$")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.@-out-0.destination")
  (#set! method "PUBLISH")) @site
(function_declaration
  (modifiers (annotation (user_type (type_identifier) @_bean)))
  (simple_identifier) @path @handler
  (function_value_parameters)
  (function_type) @_type
  (#eq? @_bean "Bean")
  (#match? @_type "->\\s*(?!Unit)")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.@-out-0.destination")
  (#set! method "PUBLISH")) @site

; bridge.send("orders-out-0", message): a binding, else the destination itself
(class_parameter (simple_identifier) @bind (user_type (type_identifier) @_type) (#eq? @_type "StreamBridge"))
(parameter (simple_identifier) @bind (user_type (type_identifier) @_type) (#eq? @_type "StreamBridge"))
(property_declaration (variable_declaration (simple_identifier) @bind (user_type (type_identifier) @_type)) (#eq? @_type "StreamBridge"))
((call_expression
  (navigation_expression (simple_identifier) @object (navigation_suffix (simple_identifier) @_send))
  (call_suffix (value_arguments . (value_argument (_) @path) . (value_argument)))) @site
  (#eq? @_send "send")
  (#set! setting "spring.cloud.stream.bindings.@.destination")
  (#set! otherwise "")
  (#set! method "PUBLISH"))
