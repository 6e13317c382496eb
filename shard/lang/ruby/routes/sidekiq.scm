; framework: sidekiq   needs: "Sidekiq"   emits: topic.provides

; class ShipOrder; include Sidekiq::Job
((class name: (_) @path body: (body_statement (call method: (identifier) @_include arguments: (argument_list (scope_resolution) @_job)))) @site
  (#eq? @_include "include")
  (#any-of? @_job "Sidekiq::Job" "Sidekiq::Worker")
  (#set! word "")
  (#set! method "SUBSCRIBE"))
