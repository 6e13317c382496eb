; framework: gatling   needs: "io.gatling"   emits: http.consumes   scope: devtool

; http("name").get("/users/#{id}")
((method_invocation
  object: (method_invocation name: (identifier) @_http arguments: (argument_list . (_)))
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_http "http")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! style "holes"))

; http.baseUrl("http://users")
((method_invocation
  name: (identifier) @_base
  arguments: (argument_list . (_) @service))
  (#eq? @_base "baseUrl"))
