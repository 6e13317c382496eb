; framework: vertx   needs: "io.vertx.ext.web"   emits: http.provides

((call_expression (navigation_expression (simple_identifier) @_type (navigation_suffix (simple_identifier) @_new))) @instance
  (#eq? @_type "Router")
  (#eq? @_new "router"))
((parameter (simple_identifier) @bind (user_type (type_identifier) @_type))
  (#eq? @_type "Router"))
((class_parameter (simple_identifier) @bind (user_type (type_identifier) @_type))
  (#eq? @_type "Router"))

; router.get("/x").handler(..), router.route(HttpMethod.GET, "/x")
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path .))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @_route))
  (call_suffix (value_arguments . (value_argument (navigation_expression)) @method . (value_argument) @path .))) @site
  (#eq? @_route "route"))
; router.route("/x").method(HttpMethod.PUT)
((call_expression
  (navigation_expression
    (call_expression
      (navigation_expression (_) @object (navigation_suffix (simple_identifier) @_route))
      (call_suffix (value_arguments . (value_argument) @path .)))
    (navigation_suffix (simple_identifier) @_method))
  (call_suffix (value_arguments . (value_argument) @method .))) @site
  (#eq? @_route "route")
  (#eq? @_method "method"))

; router.mountSubRouter("/api", sub), router.route("/api/*").subRouter(sub)
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @_mount))
  (call_suffix (value_arguments . (value_argument) @prefix . (value_argument . (_) @bind .) .)))
  (#eq? @_mount "mountSubRouter"))
((call_expression
  (navigation_expression
    (call_expression
      (navigation_expression (_) @object (navigation_suffix (simple_identifier) @_route))
      (call_suffix (value_arguments . (value_argument) @prefix .)))
    (navigation_suffix (simple_identifier) @_mount))
  (call_suffix (value_arguments . (value_argument . (_) @bind .) .)))
  (#eq? @_route "route")
  (#eq? @_mount "subRouter")
  (#set! style "below"))
