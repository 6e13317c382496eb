; framework: fastapi   needs: "fastapi" "APIRouter"   emits: http.provides

; Applications and routers, with the prefix that they are made or included with.
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)*(FastAPI|APIRouter|\\w+Router)$"))
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)*APIRouter$") (#set! mounted ""))
((call function: [(identifier) (attribute)] @_make arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "^(\\w+\\.)*\\w+Router$")
  (#eq? @_key "prefix"))
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_include)
  arguments: (argument_list . [(identifier) (attribute) (call)] @bind (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#eq? @_include "include_router")
  (#eq? @_key "prefix"))
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_include)
  arguments: (argument_list . [(identifier) (attribute) (call)] @bind) @_arguments)
  (#eq? @_include "include_router")
  (#not-match? @_arguments "\\bprefix\\s*=")
  (#set! prefix ""))
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_mount)
  arguments: (argument_list . (_) @prefix . [(identifier) (attribute) (call)] @bind))
  (#eq? @_mount "mount"))
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_mount)
  arguments: (argument_list . (_) @prefix (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @bind)))
  (#eq? @_mount "mount")
  (#eq? @_key "app"))
(typed_parameter . (identifier) @bind type: (type) @_type (#match? @_type "^(\\w+\\.)?(FastAPI|APIRouter)$"))
(typed_default_parameter name: (identifier) @bind type: (type) @_type (#match? @_type "^(\\w+\\.)?(FastAPI|APIRouter)$"))
(import_from_statement name: (dotted_name . (identifier) @bind .) (#match? @bind "(^|_)(app|api|router)$"))

; @app.get("/path"), @app.get(path="/path")
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call)] @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#eq? @_key "path"))

; @app.api_route("/path", methods=["GET"]), app.add_api_route("/path", f, methods=["GET"])
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @_route "api_route" "route")
  (#set! default "GET"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_route)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @method))) @site
  (#any-of? @_route "api_route" "route" "add_api_route" "add_route")
  (#eq? @_key "methods"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_route)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#any-of? @_route "add_api_route" "add_route")
  (#set! default "GET"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_route)
  arguments: (argument_list . (_) @path (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @handler))) @site
  (#any-of? @_route "add_api_route" "add_route")
  (#eq? @_key "endpoint")
  (#set! default "GET"))
