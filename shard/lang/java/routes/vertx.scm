; framework: vertx   needs: "io.vertx.ext.web"   emits: http.provides

((method_invocation object: (identifier) @_type name: (identifier) @_new) @instance (#eq? @_type "Router") (#eq? @_new "router"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#eq? @_type "Router"))

; router.get("/x").handler(..), router.route(HttpMethod.GET, "/x")
((method_invocation
  object: (_) @object
  name: (identifier) @method
  arguments: (argument_list . (_) @path .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((method_invocation
  object: (_) @object
  name: (identifier) @_route
  arguments: (argument_list . (field_access) @method . (_) @path .)) @site
  (#eq? @_route "route"))

; router.mountSubRouter("/api", sub)
((method_invocation
  object: (_) @object
  name: (identifier) @_mount
  arguments: (argument_list . (_) @prefix . (_) @bind .))
  (#eq? @_mount "mountSubRouter"))

; router.route("/api/*").subRouter(sub)
((method_invocation
  object: (method_invocation
    object: (_) @object
    name: (identifier) @_route
    arguments: (argument_list . (_) @prefix .))
  name: (identifier) @_mount
  arguments: (argument_list . (_) @bind .))
  (#eq? @_route "route")
  (#eq? @_mount "subRouter")
  (#set! style "below"))

; router.route("/x").method(HttpMethod.PUT), router.route().path("/x").method(HttpMethod.PUT)
((method_invocation
  object: (method_invocation
    object: (_) @object
    name: (identifier) @_route
    arguments: (argument_list . (_) @path .))
  name: (identifier) @_method
  arguments: (argument_list . (_) @method .)) @site
  (#eq? @_route "route")
  (#eq? @_method "method"))
((method_invocation
  object: (method_invocation
    object: (method_invocation object: (_) @object name: (identifier) @_route)
    name: (identifier) @_path
    arguments: (argument_list . (_) @path .))
  name: (identifier) @_method
  arguments: (argument_list . (_) @method .)) @site
  (#eq? @_route "route")
  (#eq? @_path "path")
  (#eq? @_method "method"))
