; framework: celery   needs: "celery"   emits: topic.provides

; @app.task(name="orders.ship"), @shared_task(name="orders.ship")
((decorated_definition
  (decorator (call
    function: [(identifier) @_task (attribute attribute: (identifier) @_task)]
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path)))) @site
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_task "task" "shared_task")
  (#eq? @_key "name")
  (#set! method "SUBSCRIBE"))
