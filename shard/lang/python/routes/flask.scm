; framework: flask   needs: "flask" "Flask" "lueprint"   emits: http.provides

; Applications, and blueprints with the prefix that they are made with.
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: [(identifier) (attribute)] @_make)
  (#match? @_make "^(flask\\.)?(Flask|Blueprint)$"))
(assignment
  left: (identifier) @bind
  right: (call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#match? @_make "^(flask\\.)?Blueprint$")
  (#eq? @_key "url_prefix"))

; app.register_blueprint(bp, url_prefix="/api")
((call
  function: (attribute object: (identifier) @object attribute: (identifier) @_register)
  arguments: (argument_list . (identifier) @bind (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#eq? @_register "register_blueprint")
  (#eq? @_key "url_prefix"))

; @app.route("/path", methods=["GET", "POST"])
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#eq? @_route "route")
  (#set! anyone "")
  (#set! default "GET"))
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_ (string) @method)))) @site)
  (#eq? @_route "route")
  (#eq? @_key "methods"))

; @app.get("/path")
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch"))

; app.add_url_rule("/path", view_func=f)
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_add "add_url_rule")
  (#set! default "GET"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_ (string) @method)))) @site
  (#eq? @_add "add_url_rule")
  (#eq? @_key "methods"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @handler))) @site
  (#eq? @_add "add_url_rule")
  (#eq? @_key "view_func"))
