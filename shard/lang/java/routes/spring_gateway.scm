; framework: spring-gateway   needs: "RouteLocator"   emits: http.forwards

; r -> r.path("/api/users/**").filters(f -> f.stripPrefix(1)).uri("lb://users")
((lambda_expression body: (method_invocation
  object: (method_invocation name: (identifier) @_path arguments: (argument_list (_) @path))
  name: (identifier) @_uri
  arguments: (argument_list . (_) @service)) @site)
  (#eq? @_path "path")
  (#eq? @_uri "uri")
  (#set! style "ant")
  (#set! method "ANY"))
((lambda_expression body: (method_invocation
  object: (method_invocation
    object: (method_invocation name: (identifier) @_path arguments: (argument_list (_) @path))
    name: (identifier) @_filters
    arguments: (argument_list . (_) @rewrite))
  name: (identifier) @_uri
  arguments: (argument_list . (_) @service)) @site)
  (#eq? @_path "path")
  (#eq? @_filters "filters")
  (#eq? @_uri "uri")
  (#set! style "ant")
  (#set! method "ANY"))

; r.path("/api/**").and().method(GET).[filters(f -> ..).]uri("lb://users")
((lambda_expression body: (method_invocation
  object: (method_invocation
    object: (method_invocation
      object: (method_invocation name: (identifier) @_path arguments: (argument_list (_) @path))
      name: (identifier) @_and))
  name: (identifier) @_uri
  arguments: (argument_list . (_) @service)) @site)
  (#eq? @_path "path")
  (#eq? @_and "and")
  (#eq? @_uri "uri")
  (#set! style "ant")
  (#set! method "ANY"))
((lambda_expression body: (method_invocation
  object: (method_invocation
    object: (method_invocation
      object: (method_invocation
        object: (method_invocation name: (identifier) @_path arguments: (argument_list (_) @path))
        name: (identifier) @_and))
    name: (identifier) @_filters
    arguments: (argument_list . (_) @rewrite))
  name: (identifier) @_uri
  arguments: (argument_list . (_) @service)) @site)
  (#eq? @_path "path")
  (#eq? @_and "and")
  (#eq? @_filters "filters")
  (#eq? @_uri "uri")
  (#set! style "ant")
  (#set! method "ANY"))
