; framework: spring-functional   needs: "router {" "coRouter" "RouterFunctionDsl" "RouterDsl" "RouterFunction"   emits: http.provides   settings: "server.servlet.context-path|server.context-path spring.webflux.base-path|spring.mvc.servlet.path"

; GET("/x", handler::list), GET("/x", accept(JSON)) { .. }
((call_expression
  (simple_identifier) @method
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! called "")
  (#set! style "loose"))
((call_expression
  (call_expression
    (simple_identifier) @method
    (call_suffix (value_arguments . (value_argument) @path)))
  (call_suffix (annotated_lambda))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! called "")
  (#set! style "loose"))
((call_expression
  (simple_identifier) @_method
  (call_suffix (value_arguments (value_argument (callable_reference (simple_identifier) @handler .)) .))) @site
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS"))

; "/x".nest { .. }, path("/x").nest { .. }
((call_expression
  (navigation_expression
    [
      (string_literal) @prefix
      (call_expression (simple_identifier) @_path (call_suffix (value_arguments . (value_argument) @prefix .)))]
    (navigation_suffix (simple_identifier) @_nest))
  (call_suffix (annotated_lambda) @scope))
  (#eq? @_nest "nest")
  (#any-of? @_path "path" "pathPrefix")
  (#set! style "loose"))
