; framework: spring-functional   needs: "RouterFunction"   emits: http.provides   settings: "server.servlet.context-path|server.context-path spring.webflux.base-path|spring.mvc.servlet.path"

; route(GET("/x"), handler::list), .andRoute(POST("/x").and(accept(..)), handler::create)
((method_invocation
  name: (identifier) @_route
  arguments: (argument_list
    . [
      (method_invocation name: (identifier) @method arguments: (argument_list . (_) @path)) @site
      (method_invocation object: (method_invocation
        name: (identifier) @method
        arguments: (argument_list . (_) @path)) @site)]
    . [(method_reference (identifier) @handler .) (_)]))
  (#any-of? @_route "route" "andRoute")
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! called "")
  (#set! style "loose"))

; route().GET("/x", accept(..), handler::list)
((method_invocation
  object: (_)
  name: (identifier) @method @site
  arguments: (argument_list . (_) @path . [(method_reference) (lambda_expression) (method_invocation) (identifier) (field_access)]))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#not-match? @path "::|->")
  (#set! called "")
  (#set! style "loose"))
((method_invocation
  name: (identifier) @method @site
  arguments: (argument_list (method_reference (identifier) @handler .) .))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS"))

; route(method(HttpMethod.PUT).and(path("/x")), handler::put)
((method_invocation
  name: (identifier) @_route
  arguments: (argument_list
    . (method_invocation
        object: (method_invocation name: (identifier) @_method arguments: (argument_list . (_) @method .))
        name: (identifier) @_and
        arguments: (argument_list . (method_invocation name: (identifier) @_path arguments: (argument_list . (_) @path .)) .)) @site
    . [(method_reference (identifier) @handler .) (_)]))
  (#any-of? @_route "route" "andRoute")
  (#eq? @_method "method")
  (#eq? @_and "and")
  (#any-of? @_path "path" "pathPrefix")
  (#set! called "")
  (#set! style "loose"))

; nest(path("/x"), ..), .path("/x", b -> ..)
((method_invocation
  name: (identifier) @_nest
  arguments: (argument_list
    . (method_invocation name: (identifier) @_path arguments: (argument_list . (_) @prefix .))
    . (_) @scope))
  (#any-of? @_nest "nest" "andNest")
  (#eq? @_path "path")
  (#set! style "loose"))
((method_invocation name: (identifier) @_path arguments: (argument_list . (_) @prefix . (_) @scope .))
  (#eq? @_path "path")
  (#set! style "loose"))
