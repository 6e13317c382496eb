; framework: gatling   needs: "io.gatling"   emits: http.consumes   scope: devtool

; http("name").get("/users/#{id}")
((call_expression
  (navigation_expression
    (call_expression (simple_identifier) @_http)
    (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#eq? @_http "http")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! style "holes"))

; http.baseUrl("http://users")
((call_expression
  (navigation_expression (_) (navigation_suffix (simple_identifier) @_base))
  (call_suffix (value_arguments . (value_argument) @service)))
  (#eq? @_base "baseUrl"))
