; framework: falcon   needs: "falcon"   emits: http.provides

; app.add_route("/path", UserResource())
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier)] @path . [
    (call function: (_) @handler)
    (identifier) @handler])) @site
  (#eq? @_add "add_route")
  (#set! class "")
  (#set! default "ANY"))

; What a resource answers: def on_get(self, req, resp)
((class_definition name: (identifier) @class body: (block (function_definition name: (identifier) @handler) @site))
  (#eq? @handler "on_get")
  (#set! method "GET"))
((class_definition name: (identifier) @class body: (block (function_definition name: (identifier) @handler) @site))
  (#eq? @handler "on_post")
  (#set! method "POST"))
((class_definition name: (identifier) @class body: (block (function_definition name: (identifier) @handler) @site))
  (#eq? @handler "on_put")
  (#set! method "PUT"))
((class_definition name: (identifier) @class body: (block (function_definition name: (identifier) @handler) @site))
  (#eq? @handler "on_patch")
  (#set! method "PATCH"))
((class_definition name: (identifier) @class body: (block (function_definition name: (identifier) @handler) @site))
  (#eq? @handler "on_delete")
  (#set! method "DELETE"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
