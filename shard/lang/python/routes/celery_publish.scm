; framework: celery   needs: "celery"   emits: topic.consumes

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
