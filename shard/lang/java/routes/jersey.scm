; framework: jaxrs-client   needs: "ws.rs.client" "WebTarget"   emits: http.consumes

; client.target(url).path("x").request().get(X.class)
((method_invocation
  object: [
    (method_invocation object: (_) @path name: (identifier) @_request)
    (method_invocation object: (method_invocation object: (_) @path name: (identifier) @_request))
    (method_invocation object: (method_invocation object: (method_invocation object: (_) @path name: (identifier) @_request)))]
  name: (identifier) @method) @site
  (#eq? @_request "request")
  (#any-of? @method "get" "post" "put" "delete" "head" "options")
  (#not-match? @path "(?i)test|mock"))
((method_invocation
  object: [
    (method_invocation object: (_) @path name: (identifier) @_request)
    (method_invocation object: (method_invocation object: (_) @path name: (identifier) @_request))]
  name: (identifier) @_method
  arguments: (argument_list . (_) @method)) @site
  (#eq? @_request "request")
  (#eq? @_method "method")
  (#not-match? @path "(?i)test|mock"))
