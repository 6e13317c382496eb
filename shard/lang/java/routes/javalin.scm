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
  (#set! mounted "")
  (#set! style "loose"))
((method_invocation
  !object
  name: (identifier) @method
  arguments: (argument_list . [(lambda_expression) (method_reference)] .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! called "")
  (#set! mounted "")
  (#set! bare ""))
; app.routes(() -> ..), config.router.apiBuilder(() -> ..): the root; what stands in no root is mounted elsewhere
((method_invocation
  object: (_)
  name: (identifier) @_routes
  arguments: (argument_list . (lambda_expression) @scope .))
  (#any-of? @_routes "routes" "apiBuilder")
  (#set! prefix ""))
((method_invocation
  object: (_)
  name: (identifier) @_routes @object
  arguments: (argument_list . [(method_reference) (identifier) (object_creation_expression) (method_invocation)] @bind .))
  (#any-of? @_routes "routes" "apiBuilder")
  (#set! invokes "addEndpoints")
  (#set! called "")
  (#set! prefix ""))
((method_invocation
  name: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (lambda_expression) @scope .))
  (#eq? @_path "path")
  (#set! style "loose"))

; path("/x", Users::routes), path("/x", users): what that function, or its addEndpoints(), calls
((method_invocation
  name: (identifier) @_path @object
  arguments: (argument_list . (_) @prefix
    . [(method_reference) (identifier) (field_access) (object_creation_expression) (method_invocation)] @bind .))
  (#eq? @_path "path")
  (#set! invokes "addEndpoints")
  (#set! called "")
  (#set! style "loose"))

; config.router.contextPath = "/x": before all of it
((assignment_expression left: (field_access) @_left right: (_) @prefix)
  (#match? @_left "\\.contextPath$")
  (#set! global ""))
