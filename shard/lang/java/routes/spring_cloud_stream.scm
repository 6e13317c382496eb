; framework: spring_cloud_stream   needs: "cloud.stream" "java.util.function"   also: "cloud.stream" "@Bean"   emits: topic.provides

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
