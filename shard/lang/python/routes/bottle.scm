; framework: bottle   needs: "bottle"   emits: http.provides

((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(bottle\\.)?(Bottle|default_app|app)$"))
((identifier) @bind (#eq? @bind "bottle"))

; @route("/path"), @app.get("/path"), @app.route("/path", method="POST")
(decorated_definition
  (decorator (call
    function: [
      (attribute object: (_) @object attribute: (identifier) @method)
      (identifier) @method]
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch"))
(decorated_definition
  (decorator (call
    function: [
      (attribute object: (_) @object attribute: (identifier) @_route)
      (identifier) @_route]
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#eq? @_route "route")
  (#set! default "GET"))
((call
  function: [
    (attribute object: (_) @object attribute: (identifier) @_route)
    (identifier) @_route]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [
    (string) @method
    (_ (string) @method)]))) @site
  (#eq? @_route "route")
  (#eq? @_key "method"))
