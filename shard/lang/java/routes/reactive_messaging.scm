; framework: reactive-messaging   needs: "reactive.messaging"
; emits: topic.provides
; @Incoming("orders"): a channel, whose topic settings say; else it is called so
((annotation
  name: (identifier) @_channel
  arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site
  (#eq? @_channel "Incoming")
  (#set! setting "mp.messaging.incoming.@.topic")
  (#set! otherwise "")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; @Outgoing("orders"), @Channel("orders") Emitter<Order> orders
((annotation
  name: (identifier) @_channel
  arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site
  (#eq? @_channel "Outgoing")
  (#set! setting "mp.messaging.outgoing.@.topic")
  (#set! otherwise "")
  (#set! method "PUBLISH"))
(field_declaration
  (modifiers (annotation name: (identifier) @_channel arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site)
  type: (_) @_type
  (#eq? @_channel "Channel")
  (#match? @_type "Emitter")
  (#set! setting "mp.messaging.outgoing.@.topic")
  (#set! otherwise "")
  (#set! method "PUBLISH"))
(formal_parameter
  (modifiers (annotation name: (identifier) @_channel arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site)
  type: (_) @_type
  (#eq? @_channel "Channel")
  (#match? @_type "Emitter")
  (#set! setting "mp.messaging.outgoing.@.topic")
  (#set! otherwise "")
  (#set! method "PUBLISH"))
