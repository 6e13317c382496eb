; framework: ktor   needs: "io.ktor.server" "io.ktor.routing"   emits: http.provides

; routing { .. }, install(Routing) { .. }: the root; what stands in no root is mounted elsewhere
((call_expression
  [(simple_identifier) @_routing (navigation_expression (navigation_suffix (simple_identifier) @_routing))]
  (call_suffix (annotated_lambda) @scope))
  (#eq? @_routing "routing")
  (#set! prefix ""))
((call_expression
  (call_expression
    (simple_identifier) @_install
    (call_suffix (value_arguments . (value_argument) @_routing)))
  (call_suffix (annotated_lambda) @scope))
  (#eq? @_install "install")
  (#match? @_routing "^(Routing|RoutingRoot)$")
  (#set! prefix ""))
((function_declaration . (user_type (type_identifier) @_receiver)) @scope
  (#any-of? @_receiver "Routing" "Application")
  (#set! prefix ""))

; route("/p") { .. }
((call_expression
  (call_expression
    (simple_identifier) @_route
    (call_suffix (value_arguments . (value_argument) @prefix)))
  (call_suffix (annotated_lambda) @scope))
  (#eq? @_route "route")
  (#set! style "loose"))

; route("/x", HttpMethod.Get) { handle { .. } }, and method(HttpMethod.Get) { handle { .. } } right inside a route
((call_expression
  (call_expression
    (simple_identifier) @_route
    (call_suffix (value_arguments . (value_argument) @path . (value_argument) @method))) @site
  (call_suffix (annotated_lambda (lambda_literal (statements (call_expression (simple_identifier) @_handle))))))
  (#eq? @_route "route")
  (#eq? @_handle "handle")
  (#set! called "")
  (#set! mounted "")
  (#set! style "loose"))
((call_expression
  (call_expression
    (simple_identifier) @_method
    (call_suffix (value_arguments . (value_argument) @method))) @site
  (call_suffix (annotated_lambda (lambda_literal (statements (call_expression (simple_identifier) @_handle))))))
  (#eq? @_method "method")
  (#eq? @_handle "handle")
  (#set! called "")
  (#set! mounted "")
  (#set! bare ""))

; get("/x") { .. }, and get { .. } right inside a route
((call_expression
  (call_expression
    (simple_identifier) @method
    (call_suffix (value_arguments . (value_argument) @path)))
  (call_suffix (annotated_lambda))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called "")
  (#set! mounted "")
  (#set! style "loose"))
((annotated_lambda (lambda_literal (statements (call_expression
  (simple_identifier) @method
  (call_suffix . (annotated_lambda))) @site)))
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called "")
  (#set! mounted "")
  (#set! bare ""))

; fun register(r: Route) { r.get("/x") { .. } }
((function_declaration
  (function_value_parameters (parameter (simple_identifier) @_parameter (user_type (type_identifier) @_type)))
  (function_body (statements (call_expression
    (call_expression
      (navigation_expression (simple_identifier) @_object (navigation_suffix (simple_identifier) @method))
      (call_suffix (value_arguments . (value_argument) @path)))
    (call_suffix (annotated_lambda))) @site)))
  (#any-of? @_type "Route" "Routing" "Application")
  (#eq? @_object @_parameter)
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called "")
  (#set! mounted "")
  (#set! style "loose"))
((call_expression
  (call_expression
    (navigation_expression (_) (navigation_suffix (simple_identifier) @_route))
    (call_suffix (value_arguments . (value_argument) @prefix)))
  (call_suffix (annotated_lambda) @scope))
  (#eq? @_route "route")
  (#set! style "loose"))
