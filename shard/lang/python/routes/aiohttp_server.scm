; framework: aiohttp   needs: "aiohttp" ".add_get(" ".add_post(" "router.add_route"   emits: http.provides

; @routes.get("/path"), @routes.view("/path")
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)?RouteTableDef$"))
; app.add_subapp("/admin/", admin), app.add_routes(routes): what those have is below
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . (_) @prefix . [(identifier) (attribute)] @bind))
  (#eq? @_add "add_subapp"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . [(identifier) (attribute)] @bind .))
  (#eq? @_add "add_routes")
  (#set! prefix ""))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . (list (call) @site)))
  (#eq? @_add "add_routes")
  (#set! anyone ""))
(assignment left: (identifier) @object right: (list (call function: (attribute object: (identifier) @_web)) @site)
  (#eq? @_web "web")
  (#set! anyone ""))
((call function: (attribute object: (attribute object: (_) @object attribute: (identifier) @_router) attribute: (identifier) @_add)) @site
  (#eq? @_router "router")
  (#match? @_add "^add_(get|post|put|patch|delete|route|view)$")
  (#set! anyone ""))

(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_view)
    arguments: (argument_list . (_) @path)) @site)
  definition: (class_definition name: (identifier) @handler)
  (#eq? @_view "view")
  (#set! class "")
  (#set! default "ANY"))

; web.get("/path", f), web.route("GET", "/path", f), web.view("/path", View)
((call
  function: (attribute object: (identifier) @_web attribute: (identifier) @method)
  arguments: (argument_list . (_) @path . (_))) @site
  (#eq? @_web "web")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call
  function: (attribute object: (identifier) @_web attribute: (identifier) @_route)
  arguments: (argument_list . (_) @method . (_) @path . (_))) @site
  (#eq? @_web "web")
  (#eq? @_route "route"))
; whose handlers have names: f, partial(f, x)
((call
  function: (attribute object: (identifier) @_web attribute: (identifier) @_verb)
  arguments: (argument_list . (_) . [(identifier) (attribute)] @handler)) @site
  (#eq? @_web "web")
  (#any-of? @_verb "get" "post" "put" "delete" "patch" "head" "options"))
((call
  function: (attribute object: (identifier) @_web attribute: (identifier) @_route)
  arguments: (argument_list . (_) . (_) . [(identifier) (attribute)] @handler)) @site
  (#eq? @_web "web")
  (#eq? @_route "route"))
((call
  function: (attribute object: (identifier) @_web)
  arguments: (argument_list (call
    function: [(identifier) (attribute)] @_partial
    arguments: (argument_list . [(identifier) (attribute)] @handler)))) @site
  (#eq? @_web "web")
  (#match? @_partial "partial$"))
((call
  function: (attribute object: (identifier) @_web attribute: (identifier) @_view)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_web "web")
  (#eq? @_view "view")
  (#set! class "")
  (#set! default "ANY"))

; app.router.add_get("/path", f), app.router.add_route("*", "/path", f), router.add_view("/path", View)
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_get")
  (#set! method "GET"))
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_post")
  (#set! method "POST"))
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_put")
  (#set! method "PUT"))
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_patch")
  (#set! method "PATCH"))
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_delete")
  (#set! method "DELETE"))
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @method . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_route"))
((call
  function: (identifier) @_add
  arguments: (argument_list . (string) @method . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_route"))
((call
  function: (attribute attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_add "add_view")
  (#set! class "")
  (#set! default "ANY"))
((call
  function: (attribute
    object: (call function: (attribute attribute: (identifier) @_resource) arguments: (argument_list . (_) @path))
    attribute: (identifier) @_add)
  arguments: (argument_list . (_) @method . [(identifier) (attribute)] @handler)) @site
  (#eq? @_resource "add_resource")
  (#eq? @_add "add_route"))

; What a web.View answers.
((class_definition
  name: (identifier) @class
  superclasses: (argument_list (_) @_base)
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#match? @_base "View$")
  (#any-of? @method "get" "post" "put" "patch" "delete"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
