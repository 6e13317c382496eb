; framework: celery   needs: "celery"
; emits: topic.provides
; @app.task(name="orders.ship"), @shared_task(name="orders.ship")
((decorated_definition
  (decorator (call
    function: [(identifier) @_task (attribute attribute: (identifier) @_task)]
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path)))) @site
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_task "task" "shared_task")
  (#eq? @_key "name")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes
; app.send_task("orders.ship"), signature("orders.ship")
((call
  function: (attribute object: (_) @_object attribute: (identifier) @_call)
  arguments: (argument_list . [(string) (identifier) (attribute) (binary_operator) (call) (subscript)] @path)) @site
  (#eq? @_call "send_task")
  (#set! method "PUBLISH"))
((call
  function: (attribute attribute: (identifier) @_call)
  arguments: (argument_list . (string) @path)) @site
  (#eq? @_call "signature")
  (#set! method "PUBLISH"))
((call function: (identifier) @_call arguments: (argument_list . (string) @path)) @site
  (#eq? @_call "signature")
  (#set! method "PUBLISH"))
