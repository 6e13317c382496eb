; framework: javalin   needs: "io.javalin"   emits: http.provides

((property_declaration (variable_declaration (simple_identifier) @bind) (call_expression) @_made)
  (#match? @_made "^Javalin\\s*\\.\\s*create"))
((parameter (simple_identifier) @bind (user_type (type_identifier) @_type))
  (#eq? @_type "Javalin"))

; app.get("/x", handler), app.get("/x") { ctx -> .. }
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path . (value_argument)))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! style "loose"))
((call_expression
  (call_expression
    (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
    (call_suffix (value_arguments . (value_argument) @path))) @site
  (call_suffix (annotated_lambda)))
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! style "loose"))

; path("/x") { get(handler); post("/y", handler); put("/y") { .. } }
((call_expression
  (simple_identifier) @method
  (call_suffix (value_arguments . (value_argument) @path . (value_argument)))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! called "")
  (#set! mounted "")
  (#set! style "loose"))
((call_expression
  (call_expression
    (simple_identifier) @method
    (call_suffix (value_arguments . (value_argument) @path))) @site
  (call_suffix (annotated_lambda)))
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! called "")
  (#set! mounted "")
  (#set! style "loose"))
((call_expression
  (simple_identifier) @method
  (call_suffix (value_arguments . (value_argument [(callable_reference) (navigation_expression (_) "::")]) .))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! called "")
  (#set! mounted "")
  (#set! bare ""))
; app.routes { .. }, config.router.apiBuilder { .. }: the root; what stands in no root is mounted elsewhere
((call_expression
  (navigation_expression (navigation_suffix (simple_identifier) @_routes))
  (call_suffix (annotated_lambda) @scope))
  (#any-of? @_routes "routes" "apiBuilder")
  (#set! prefix ""))
((call_expression
  (navigation_expression (navigation_suffix (simple_identifier) @_routes @object))
  (call_suffix (value_arguments . (value_argument . (_) @bind .) .)))
  (#any-of? @_routes "routes" "apiBuilder")
  (#set! invokes "addEndpoints")
  (#set! called "")
  (#set! prefix ""))
((call_expression
  (call_expression
    (simple_identifier) @_path
    (call_suffix (value_arguments . (value_argument) @prefix)))
  (call_suffix (annotated_lambda) @scope))
  (#eq? @_path "path")
  (#set! style "loose"))

; path("/x", Users::routes), path("/x", users): what that function, or its addEndpoints(), calls
((call_expression
  (simple_identifier) @_path @object
  (call_suffix (value_arguments . (value_argument) @prefix . (value_argument . (_) @bind .) .)))
  (#eq? @_path "path")
  (#set! invokes "addEndpoints")
  (#set! called "")
  (#set! style "loose"))

; config.router.contextPath = "/x": before all of it
((assignment (directly_assignable_expression) @_left (_) @prefix)
  (#match? @_left "\\.contextPath$")
  (#set! global ""))
