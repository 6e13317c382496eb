; framework: javalin   needs: "io.javalin"   emits: http.provides

((method_invocation) @_made @instance (#match? @_made "^Javalin\\s*\\.\\s*create"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#eq? @_type "Javalin"))
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#eq? @_type "Javalin"))

; app.get("/x", handler)
((method_invocation
  object: (_) @object
  name: (identifier) @method
  arguments: (argument_list . (_) @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! style "loose"))
((method_invocation
  object: (_) @_object
  name: (identifier) @method @site
  arguments: (argument_list . (_) @path . [(lambda_expression) (method_reference)]))
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#match? @_object "^Javalin\\s*\\.\\s*create")
  (#set! style "loose"))

; app.addHttpHandler(HandlerType.GET, "/x", handler)
((method_invocation
  object: (_) @object
  name: (identifier) @_add
  arguments: (argument_list . (_) @method . (_) @path . (_))) @site
  (#any-of? @_add "addHttpHandler" "addHandler")
  (#set! style "loose"))

; path("/x", () -> { get(handler); post("/y", handler); })
((method_invocation
  !object
  name: (identifier) @method
  arguments: (argument_list . (_) @path . [(lambda_expression) (method_reference) (identifier)])) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! called "")
  (#set! style "loose"))
((method_invocation
  !object
  name: (identifier) @method
  arguments: (argument_list . [(lambda_expression) (method_reference)] .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! called "")
  (#set! bare ""))
((method_invocation
  name: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (lambda_expression) @scope .))
  (#eq? @_path "path")
  (#set! style "loose"))
