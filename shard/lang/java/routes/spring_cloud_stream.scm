; framework: spring_cloud_stream   needs: "cloud.stream" "java.util.function"   also: "cloud.stream" "@Bean"
; emits: topic.provides
; A bean that is a function is bound by settings: process-in-0.
(method_declaration
  (modifiers (marker_annotation name: (identifier) @_bean))
  type: (_) @_type
  name: (identifier) @path @handler
  (#eq? @_bean "Bean")
  (#match? @_type "^(java\\.util\\.function\\.)?(Function|BiFunction|Consumer|BiConsumer)\\b")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.@-in-0.destination")
  (#set! method "SUBSCRIBE")) @site

; @StreamListener("orders"), @StreamListener(Sink.INPUT), @StreamListener(target = "orders"): a binding, else what it is called
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list [
    (string_literal) @path (identifier) @path (field_access) @path
    (element_value_pair key: (identifier) @_key value: [(string_literal) (identifier) (field_access)] @path)])) @site
  (#eq? @_listener "StreamListener")
  (#match? @_key "^(target|value)$")
  (#not-match? @path "(^|\\.)(Sink|Processor)\\.INPUT$")
  (#set! setting "spring.cloud.stream.bindings.@.destination")
  (#set! otherwise "")
  (#set! method "SUBSCRIBE"))
((annotation
  name: (identifier) @_listener
  arguments: (annotation_argument_list [(field_access) @path (element_value_pair value: (field_access) @path)])) @site
  (#eq? @_listener "StreamListener")
  (#match? @path "(^|\\.)(Sink|Processor)\\.INPUT$")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.input.destination")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; A bean that is a function is bound by settings: process-out-0.
(method_declaration
  (modifiers (marker_annotation name: (identifier) @_bean))
  type: (_) @_type
  name: (identifier) @path @handler
  (#eq? @_bean "Bean")
  (#match? @_type "^(java\\.util\\.function\\.)?(Function|BiFunction|Supplier)\\b")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.@-out-0.destination")
  (#set! method "PUBLISH")) @site

; bridge.send("orders-out-0", message): a binding, else the destination itself
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind) (#match? @_type "^StreamBridge$"))
(formal_parameter type: (_) @_type name: (identifier) @bind (#match? @_type "^StreamBridge$"))
((method_invocation
  object: (_) @object
  name: (identifier) @_send
  arguments: (argument_list . (_) @path . (_))) @site
  (#eq? @_send "send")
  (#set! setting "spring.cloud.stream.bindings.@.destination")
  (#set! otherwise "")
  (#set! method "PUBLISH"))

; @Output("orders") MessageChannel orders(), @SendTo("orders") of a listener; source.output().send(message)
((annotation
  name: (identifier) @_output
  arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site
  (#any-of? @_output "Output")
  (#not-match? @path "(^|\\.)(Source|Processor)\\.OUTPUT$")
  (#set! setting "spring.cloud.stream.bindings.@.destination")
  (#set! otherwise "")
  (#set! method "PUBLISH"))
((method_invocation
  object: (method_invocation name: (identifier) @path)
  name: (identifier) @_send
  arguments: (argument_list . (_) .)) @site
  (#eq? @path "output")
  (#eq? @_send "send")
  (#set! word "")
  (#set! setting "spring.cloud.stream.bindings.output.destination")
  (#set! method "PUBLISH"))
