; framework: flask   needs: "flask" "Flask" "from quart"   emits: http.provides

; Applications, and blueprints with the prefix that they are made with.
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)?(Flask|Blueprint|Quart|APIFlask|APIBlueprint|OpenAPI|Api)$"))
((call function: [(identifier) (attribute)] @_make arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "^(\\w+\\.)?(API)?Blueprint$")
  (#eq? @_key "url_prefix"))
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "^(\\w+\\.)?(API)?Blueprint$") (#set! mounted ""))
(typed_parameter . (identifier) @bind type: (type) @_type (#match? @_type "^(\\w+\\.)?(Flask|Blueprint|Quart)$"))

; app.register_blueprint(bp, url_prefix="/api")
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_register)
  arguments: (argument_list . [(identifier) (attribute) (call)] @bind (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#eq? @_register "register_blueprint")
  (#eq? @_key "url_prefix")
  (#set! replaces ""))

((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_register)
  arguments: (argument_list . [(identifier) (attribute) (call)] @bind) @_arguments)
  (#eq? @_register "register_blueprint")
  (#not-match? @_arguments "\\burl_prefix\\s*=")
  (#set! prefix ""))

; partial(app.register_blueprint, bp, url_prefix="/api"): it is called later
((call
  function: [(identifier) (attribute)] @_partial
  arguments: (argument_list
    . (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_register)
    . [(identifier) (attribute)] @bind
    (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#match? @_partial "(^|\\.)partial$")
  (#eq? @_register "register_blueprint")
  (#eq? @_key "url_prefix")
  (#set! replaces ""))

; @app.route("/path", methods=["GET", "POST"]), over a function or a class
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
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @method))) @site)
  (#eq? @_route "route")
  (#eq? @_key "methods"))
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @_route)
    arguments: (argument_list (string) @path)) @site)
  definition: (class_definition name: (identifier) @handler)
  (#eq? @_route "route")
  (#set! anyone "")
  (#set! class "")
  (#set! default "ANY"))

; @app.get("/path")
(decorated_definition
  (decorator (call
    function: (attribute object: (_) @object attribute: (identifier) @method)
    arguments: (argument_list . (_) @path)) @site)
  definition: (function_definition name: (identifier) @handler)
  (#any-of? @method "get" "post" "put" "delete" "patch"))

; app.add_url_rule("/path", view_func=f), view_func=UserView.as_view("user")
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_add "add_url_rule")
  (#set! class "")
  (#set! default "GET"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @method))) @site
  (#eq? @_add "add_url_rule")
  (#eq? @_key "methods"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [
    (identifier) @handler
    (attribute) @handler
    (call function: (attribute object: (_) @handler attribute: (identifier) @_view))]))) @site
  (#eq? @_add "add_url_rule")
  (#eq? @_key "view_func"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . (_) . (_) . [
    (identifier) @handler
    (attribute) @handler
    (call function: (attribute object: (_) @handler attribute: (identifier) @_view))])) @site
  (#eq? @_add "add_url_rule"))

; What a MethodView, a Resource answers.
((class_definition
  name: (identifier) @class
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#any-of? @method "get" "post" "put" "patch" "delete"))
((class_definition
  name: (identifier) @class
  body: (block (decorated_definition definition: (function_definition name: (identifier) @method @handler) @site)))
  (#any-of? @method "get" "post" "put" "patch" "delete"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
