; framework: reactive-messaging   needs: "reactive.messaging"   emits: topic.provides

; @Incoming("orders"): a channel, whose topic settings say; else it is called so
((annotation
  name: (identifier) @_channel
  arguments: (annotation_argument_list [(string_literal) (identifier) (field_access)] @path)) @site
  (#eq? @_channel "Incoming")
  (#set! setting "mp.messaging.incoming.@.topic")
  (#set! otherwise "")
  (#set! method "SUBSCRIBE"))
