; framework: nats   needs: "nats"

; rows client
;   ^(await\\s+)?(nats\\.(connect|NATS)|NATS|[\\w.]+\\.jetstream)\\( | (?i)nats|^(nc|js|jetstream)$ | NATS|JetStream|^(nats\\.)?(aio\\.)?(client\\.)?Client$

; emits: topic.provides
; await nc.subscribe("orders.*", cb=f)
; rows calls
;   SUBSCRIBE | "subscribe" "pull_subscribe" | nats
; rows unfollowed
;   (?i)(nats\\w*|jetstream|\\bnc|\\bjs)(\\(\\))?$ | "subscribe" "pull_subscribe"

; emits: topic.consumes
; await nc.publish("orders", data), await nc.request("orders", data)
; rows calls
;   PUBLISH | "publish" "request" | plain
; rows unfollowed
;   (?i)(nats\\w*|jetstream|\\bnc|\\bjs)(\\(\\))?$ | "publish" "request"
