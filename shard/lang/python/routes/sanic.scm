; framework: sanic   needs: "sanic" "litestar" "robyn"   emits: http.provides

((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)?(Sanic|Blueprint|Robyn|SubRouter)$"))
((call function: [(identifier) (attribute)] @_make arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "^(\\w+\\.)?Blueprint$")
  (#eq? @_key "url_prefix"))

; @app.get("/path"), @app.route("/path", methods=["GET"])
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch"))
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#eq? @_route "route")
  (#set! default "GET"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_route)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @method))) @site
  (#any-of? @_route "route" "add_route")
  (#eq? @_key "methods"))

; app.add_route(f, "/path"), app.add_route(View.as_view(), "/path")
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . [
    (identifier) @handler
    (call function: (attribute object: (_) @handler attribute: (identifier) @_view))] . (_) @path)) @site
  (#eq? @_add "add_route")
  (#set! class "")
  (#set! default "GET"))
((class_definition
  name: (identifier) @class
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#any-of? @method "get" "post" "put" "patch" "delete"))

; Litestar: @get("/path"), in a controller below its `path`
(decorated_definition
  (decorator (call function: (identifier) @method arguments: (argument_list . (string) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch")
  (#set! style "loose"))
((class_definition
  superclasses: (argument_list (_) @_base)
  body: (block (expression_statement (assignment left: (identifier) @_path right: (string) @prefix)))) @scope
  (#match? @_base "Controller$")
  (#eq? @_path "path"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
