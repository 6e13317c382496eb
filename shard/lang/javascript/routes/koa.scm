; framework: koa   needs: "koa-router'" "koa/router'" "koa-joi-router'" "koa-better-router'" "koa-tree-router'" "koa-trie-router'"   emits: http.provides

; new Router({ prefix }), Router({ prefix }), require("koa-router")({ prefix })
(variable_declarator
  name: (identifier) @bind
  value: [
    (new_expression constructor: (_) @_make)
    (call_expression function: [(identifier) (call_expression)] @_make)
  ]
  (#match? @_make "(?i)router\\b"))
(variable_declarator
  name: (identifier) @bind
  value: [
    (new_expression constructor: (_) @_make arguments: (arguments . (_) @options))
    (call_expression function: [(identifier) (call_expression)] @_make arguments: (arguments . (_) @options))
  ]
  (#match? @_make "(?i)router\\b")
  (#not-match? @_make "^require$")
  (#set! prefixed "prefix"))
((new_expression constructor: (_) @_make) @instance (#match? @_make "(?i)router\\b"))
((new_expression constructor: (_) @_make arguments: (arguments . (_) @options)) @instance (#match? @_make "(?i)router\\b") (#set! prefixed "prefix"))

; router.prefix("/api")
(call_expression
  function: (member_expression object: (_) @bind property: (property_identifier) @_prefix)
  arguments: (arguments . (_) @prefix .)
  (#eq? @_prefix "prefix"))

; api.use("/users", users.routes()), api.use(users)
(call_expression
  function: (member_expression object: [(identifier) (member_expression) (call_expression)] @object property: (property_identifier) @_use)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression)] @prefix
    [(identifier) (member_expression) (call_expression)] @bind)
  (#eq? @_use "use"))
(call_expression
  function: (member_expression object: [(identifier) (member_expression) (call_expression)] @object property: (property_identifier) @_use)
  arguments: (arguments . [(identifier) (member_expression) (call_expression)] @bind .)
  (#eq? @_use "use"))

; router.get("/path", handler), router.get("name", "/path", handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression) (array)] @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "del" "patch" "all" "head" "options" "link" "unlink"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (string) . (string) @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "del" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) [(identifier) (member_expression)] @handler .)) @site
  (#any-of? @method "get" "post" "put" "delete" "del" "patch" "all" "head" "options"))

; router.register("/path", ["GET"], handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_register)
  arguments: (arguments . (_) @path . (array) @method)) @site
  (#eq? @_register "register"))

; router[method]("/path", handler)
((call_expression
  function: (subscript_expression object: (_) @object index: [(identifier) (member_expression) (call_expression) (string)] @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path . (_)) @site))
