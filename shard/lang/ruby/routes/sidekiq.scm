; framework: sidekiq
; emits: topic.provides   needs: "Sidekiq"
; class ShipOrder; include Sidekiq::Job
((class name: (_) @path body: (body_statement (call method: (identifier) @_include arguments: (argument_list (scope_resolution) @_job)))) @site
  (#eq? @_include "include")
  (#any-of? @_job "Sidekiq::Job" "Sidekiq::Worker")
  (#set! word "")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "perform_async" "perform_in" "perform_at" "Sidekiq"
; ShipOrder.perform_async(id), Sidekiq::Client.push("class" => "ShipOrder")
((call receiver: [(constant) (scope_resolution)] @path method: (identifier) @_perform) @site
  (#any-of? @_perform "perform_async" "perform_in" "perform_at" "perform_bulk")
  (#set! word "")
  (#set! method "PUBLISH"))
((call
  receiver: (scope_resolution) @_client method: (identifier) @_push
  arguments: (argument_list [(pair key: (_) @_key value: (_) @path) (hash (pair key: (_) @_key value: (_) @path))])) @site
  (#eq? @_client "Sidekiq::Client")
  (#eq? @_push "push")
  (#match? @_key "class")
  (#set! method "PUBLISH"))
