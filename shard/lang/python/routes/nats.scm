; framework: nats   needs: "nats"

(assignment
  left: [(identifier) (attribute)] @bind
  right: [(call) (await)] @_make
  (#match? @_make "^(await\\s+)?(nats\\.(connect|NATS)|NATS|[\\w.]+\\.jetstream)\\("))
(as_pattern [(call) (await)] @_make alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^(await\\s+)?(nats\\.(connect|NATS)|NATS|[\\w.]+\\.jetstream)\\("))
(parameters (identifier) @bind (#match? @bind "(?i)nats|^(nc|js|jetstream)$"))
(parameters (typed_parameter . (identifier) @bind type: (type) @_type) (#match? @_type "NATS|JetStream|^(nats\\.)?(aio\\.)?(client\\.)?Client$"))
(parameters (default_parameter name: (identifier) @bind) (#match? @bind "(?i)nats|^(nc|js|jetstream)$"))

; emits: topic.provides
; await nc.subscribe("orders.*", cb=f)
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "subscribe" "pull_subscribe")
  (#set! style "nats")
  (#set! method "SUBSCRIBE"))

; What is not followed, but says what it is: self.nats, app.nc
((call function: (attribute object: [(attribute) (call) (subscript)] @_object attribute: (identifier) @_call)) @site
  (#any-of? @_call "subscribe" "pull_subscribe")
  (#match? @_object "(?i)(nats\\w*|jetstream|\\bnc|\\bjs)(\\(\\))?$")
  (#set! anyone ""))

; emits: topic.consumes
; await nc.publish("orders", data), await nc.request("orders", data)
((call
  function: (attribute object: (_) @object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#any-of? @_call "publish" "request")
  (#set! method "PUBLISH"))

; What is not followed, but says what it is: self.nats, app.nc
((call function: (attribute object: [(attribute) (call) (subscript)] @_object attribute: (identifier) @_call)) @site
  (#any-of? @_call "publish" "request")
  (#match? @_object "(?i)(nats\\w*|jetstream|\\bnc|\\bjs)(\\(\\))?$")
  (#set! anyone ""))
