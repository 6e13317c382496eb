; framework: sidekiq   needs: "perform_async" "perform_in" "perform_at" "Sidekiq"   emits: topic.consumes

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
