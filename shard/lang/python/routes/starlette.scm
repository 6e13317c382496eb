; framework: starlette   needs: "starlette"   emits: http.provides

; Route("/path", endpoint=f, methods=["GET"]), below Mount("/prefix", routes=[...])
((call
  function: [(identifier) (attribute)] @_route
  arguments: (argument_list . (_) @path)) @site
  (#match? @_route "^(\\w+\\.)?Route$")
  (#set! class "")
  (#set! default "GET"))
((call
  function: [(identifier) (attribute)] @_route
  arguments: (argument_list . (_) . [(identifier) (attribute)] @handler)) @site
  (#match? @_route "^(\\w+\\.)?Route$"))
((call
  function: [(identifier) (attribute)] @_route
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @handler))) @site
  (#match? @_route "^(\\w+\\.)?Route$")
  (#eq? @_key "endpoint"))
((call
  function: [(identifier) (attribute)] @_route
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @method))) @site
  (#match? @_route "^(\\w+\\.)?Route$")
  (#eq? @_key "methods"))
; routes = [Route(...)], Starlette(routes=[Route(...)]): they are below what the list, the application is mounted on
(assignment left: (identifier) @object right: (list (call function: [(identifier) (attribute)] @_route) @site)
  (#match? @_route "^(\\w+\\.)?Route$")
  (#set! anyone ""))
(assignment left: (identifier) @object right: (call arguments: (argument_list (keyword_argument
    name: (identifier) @_routes
    value: (list (call function: [(identifier) (attribute)] @_route) @site))))
  (#eq? @_routes "routes")
  (#match? @_route "^(\\w+\\.)?Route$")
  (#set! anyone ""))
(assignment left: (identifier) @object right: [
    (list (call
      function: [(identifier) (attribute)] @_mount
      arguments: (argument_list . (_) @prefix [
        (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @bind)
        (identifier) @bind])))
    (call arguments: (argument_list (keyword_argument
      name: (identifier) @_routes
      value: (list (call
        function: [(identifier) (attribute)] @_mount
        arguments: (argument_list . (_) @prefix [
          (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @bind)
          (identifier) @bind]))))))]
  (#match? @_mount "^(\\w+\\.)?Mount$")
  (#any-of? @_key "routes" "app"))
(assignment left: (identifier) @object right: (call arguments: (argument_list (keyword_argument
    name: (identifier) @_routes value: (identifier) @bind)))
  (#eq? @_routes "routes")
  (#set! prefix ""))
((call function: [(identifier) (attribute)] @_mount arguments: (argument_list . (_) @prefix)) @scope
  (#match? @_mount "^(\\w+\\.)?Mount$"))

; What an HTTPEndpoint answers.
((class_definition
  name: (identifier) @class
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#any-of? @method "get" "post" "put" "patch" "delete"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
