; framework: fastapi   needs: "fastapi" "APIRouter"   emits: http.provides

; Applications and routers, with the prefix that they are made or included with.
(assignment
  left: (identifier) @bind
  right: (call function: [(identifier) (attribute)] @_make)
  (#match? @_make "^(fastapi\\.)?(FastAPI|APIRouter)$"))
(assignment
  left: (identifier) @bind
  right: (call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#match? @_make "^(fastapi\\.)?APIRouter$")
  (#eq? @_key "prefix"))
((call
  function: (attribute object: (identifier) @object attribute: (identifier) @_include)
  arguments: (argument_list . (identifier) @bind (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#eq? @_include "include_router")
  (#eq? @_key "prefix"))

; @app.get("/path")
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))

; @app.api_route("/path", methods=["GET"])
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#eq? @_route "api_route")
  (#set! default "GET"))
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_ (string) @method)))) @site)
  (#eq? @_route "api_route")
  (#eq? @_key "methods"))
