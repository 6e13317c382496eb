; framework: gatling   needs: "io.gatling"   emits: http.consumes   scope: devtool

; http("name").get("/users/${id}")
((call_expression
  function: (field_expression
    value: (call_expression function: (identifier) @_http)
    field: (identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#eq? @_http "http")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! style "holes"))

; http.baseUrl("http://users")
((call_expression
  function: (field_expression field: (identifier) @_base)
  arguments: (arguments . (_) @service))
  (#any-of? @_base "baseUrl" "baseURL"))
