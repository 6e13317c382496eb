; framework: azure-functions   needs: "azure.functions"   emits: http.provides

; app = func.FunctionApp(), bp = func.Blueprint()
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)?(FunctionApp|Blueprint)$"))

; @app.route(route="users/{id}", methods=["GET"])
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @path))) @site)
  definition: (function_definition name: (identifier) @handler)
  (#eq? @_route "route")
  (#eq? @_key "route")
  (#set! default "ANY")
  (#set! prefix "/api/"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_route)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_ [(string) (attribute)] @method)))) @site
  (#eq? @_route "route")
  (#eq? @_key "methods"))
