; framework: hono   needs: "hono'" "hono/" "elysia'" "itty-router'"   emits: http.provides

(variable_declarator
  name: (identifier) @bind
  value: [
    (new_expression constructor: (identifier) @_make)
    (call_expression function: (identifier) @_make)
    (call_expression function: (member_expression object: (new_expression constructor: (identifier) @_make)))
  ]
  (#any-of? @_make "Hono" "OpenAPIHono" "Elysia" "Router" "AutoRouter" "IttyRouter"))

; new Hono().basePath("/api"), new Elysia({ prefix: "/api" })
((call_expression
    function: (member_expression object: (new_expression constructor: (identifier) @_make) property: (property_identifier) @_base)
    arguments: (arguments . (_) @prefix .)) @instance
  (#any-of? @_make "Hono" "OpenAPIHono")
  (#eq? @_base "basePath"))
(variable_declarator
  name: (identifier) @bind
  value: [
    (new_expression constructor: (identifier) @_make arguments: (arguments . (_) @options))
    (call_expression function: (identifier) @_make arguments: (arguments . (_) @options))
  ]
  (#any-of? @_make "Elysia" "Router" "AutoRouter")
  (#set! prefixed "prefix base"))

; app.route("/users", users)
(call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_route)
  arguments: (arguments . (_) @prefix . (identifier) @bind .)
  (#any-of? @_route "route" "mount" "group"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression) (array)] @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) [(identifier) (member_expression)] @handler .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_on)
  arguments: (arguments . [(string) (array)] @method . (_) @path . (_))) @site
  (#eq? @_on "on"))

; router[method]("/path", handler)
((call_expression
  function: (subscript_expression object: (_) @object index: [(identifier) (member_expression) (call_expression) (string)] @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path . (_)) @site))
