; framework: jaxrs-client   needs: "ws.rs.client" "WebTarget"   emits: http.consumes

; client.target(url).path("x").request().get(X.class), with anything between
((method_invocation object: (_) @path name: (identifier) @_request) @site
  (#eq? @_request "request")
  (#not-match? @path "(?i)test|mock"))
((method_invocation object: (_) @site name: (identifier) @method)
  (#any-of? @method "get" "post" "put" "delete" "head" "options")
  (#set! chain ".request"))
((method_invocation
  object: (_) @site
  name: (identifier) @_method
  arguments: (argument_list . (_) @method))
  (#eq? @_method "method")
  (#set! chain ".request"))
