; framework: nats   needs: "nats"

; rows client
;   ^(await\\s+)?(\\w+\\.)?connect\\(|\\.jetstream\\( | (?i)nats|^(nc|js|sc|jetstream|stan)$ | ^(NatsConnection|JetStreamClient|Stan)$

; Wherever it is made.
((call_expression function: (_) @_make) @instance (#match? @_make "(^|\\.)connect$|\\.jetstream$"))

; emits: topic.provides
; nc.subscribe('orders.*')
; rows calls
;   SUBSCRIBE | "subscribe" | nats
; rows unfollowed
;   (?i)(nats|jetstream|\\bnc|\\bjs)$ | "subscribe"

; emits: topic.consumes
; nc.publish('orders', data), nc.request('orders', data)
; rows calls
;   PUBLISH | "publish" "request" | plain
; rows unfollowed
;   (?i)(nats|jetstream|\\bnc|\\bjs)$ | "publish" "request"
