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
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_ (string) @method)))) @site
  (#match? @_route "^(\\w+\\.)?Route$")
  (#eq? @_key "methods"))
((call function: [(identifier) (attribute)] @_mount arguments: (argument_list . (_) @prefix)) @scope
  (#match? @_mount "^(\\w+\\.)?Mount$"))

; What an HTTPEndpoint answers.
((class_definition
  name: (identifier) @class
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#any-of? @method "get" "post" "put" "patch" "delete"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
