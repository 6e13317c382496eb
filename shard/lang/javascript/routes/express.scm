; framework: express   needs: "express'" "express-promise-router'" "restify'" "polka'" "restana'" "app.get(" "app.post(" "app.put(" "app.delete(" "app.patch(" "app.all(" "app.use(" ".use('" "outer.get(" "outer.post(" "outer.put(" "outer.delete(" "outer.patch(" "outer.all(" "outer[" "app[" "outer.use(" ".route('" ".route(`" "server.get(" "server.post("   unless: "koa-router'" "koa/router'" "fastify'" "hono'" "(request, reply)" "(req, reply)" "(_request, reply)" "(_req, reply)" "(_, reply)" "reply.send(" "reply.code("   emits: http.provides

; What is an application or a router: made here, or given to this file under its usual name.
((call_expression function: [(identifier) (member_expression) (call_expression)] @_make) @instance
  (#match? @_make "^(express(\\.default)?|(\\w+\\.)?(Promise)?Router|restify\\.createServer|polka|restana|require\\(.express(-promise-router)?.\\)(\\.Router)?)$"))
((new_expression constructor: [(identifier) (member_expression)] @_make) @instance
  (#match? @_make "^((\\w+\\.)?Router|express)$"))
((call_expression function: [(identifier) (member_expression)] @_make) @instance
  (#match? @_make "^(express\\.)?Router$")
  (#set! mounted ""))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (identifier) @_require)
  (#eq? @_require "require")
  (#match? @bind "^(app|router)$"))
(import_clause (identifier) @bind (#match? @bind "^(app|router)$"))
(import_specifier name: (identifier) @bind (#match? @bind "^(app|router)$"))

; A router mounted on another, perhaps with a prefix.
(call_expression
  function: (member_expression object: [(identifier) (member_expression) (call_expression)] @object property: (property_identifier) @_use)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression)] @prefix
    [(identifier) (member_expression) (call_expression)] @bind)
  (#eq? @_use "use"))
(call_expression
  function: (member_expression object: [(identifier) (member_expression) (call_expression)] @object property: (property_identifier) @_use)
  arguments: (arguments . [(identifier) (member_expression) (call_expression)] @bind .)
  (#eq? @_use "use"))

; Mounts in a list: [{ path, route }].forEach((r) => router.use(r.path, r.route))
(program
  (lexical_declaration (variable_declarator name: (identifier) @_list value: (array (object
    (pair key: (property_identifier) @_path value: (_) @prefix)
    (pair key: (property_identifier) @_route value: (_) @bind)))))
  (expression_statement (call_expression
    function: (member_expression object: (identifier) @_each property: (property_identifier) @_for)
    arguments: (arguments (arrow_function body: [
      (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @_use))
      (statement_block (expression_statement (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @_use))))
    ]))))
  (#eq? @_list @_each)
  (#eq? @_for "forEach")
  (#eq? @_use "use")
  (#any-of? @_path "path" "prefix" "url")
  (#any-of? @_route "route" "router" "routes" "handler"))
(program
  (lexical_declaration (variable_declarator name: (identifier) @_list value: (array (object
    (pair key: (property_identifier) @_path value: (_) @prefix)
    (pair key: (property_identifier) @_route value: (_) @bind)))))
  (for_in_statement right: (identifier) @_each body: [
    (expression_statement (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @_use)))
    (statement_block (expression_statement (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @_use))))
  ])
  (#eq? @_list @_each)
  (#eq? @_use "use")
  (#any-of? @_path "path" "prefix" "url")
  (#any-of? @_route "route" "router" "routes" "handler"))

; app.get("/path", handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression) (array)] @path . (_)) @site)
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options" "del" "opts"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) [
    (identifier) @handler
    (member_expression) @handler
    (call_expression function: (_) @_wrap arguments: (arguments [(identifier) (member_expression)] @handler .))
    (call_expression function: (member_expression object: (member_expression) @handler property: (property_identifier) @_bound))
    (call_expression function: [(identifier) (member_expression)] @handler arguments: (arguments) @_none)
    (array [(identifier) (member_expression)] @handler .)
  ] .) @site)
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options" "del" "opts")
  (#match? @_none "^\\(\\s*\\)$")
  (#not-match? @_wrap "\\.bind$")
  (#eq? @_bound "bind"))

; app[method]("/path", handler)
((call_expression
  function: (subscript_expression object: (_) @object index: [(identifier) (member_expression) (call_expression) (string)] @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression) (array)] @path . (_)) @site))

; app.get(/^\/users\/(\d+)$/, handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (regex pattern: (regex_pattern) @path) . (_)) @site)
  (#any-of? @method "get" "post" "put" "delete" "patch" "all")
  (#match? @path "^\\^?\\\\/\\w")
  (#set! word "")
  (#set! style "regex"))

; app.use("/path", function (req, res) { ... }): all below it; what passes on to a next one is no handler
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_use)
  arguments: (arguments . [(string) (template_string) (binary_expression)] @path
    [(arrow_function parameters: (formal_parameters . (_) . (_) .)) (function_expression parameters: (formal_parameters . (_) . (_) .))] .) @site)
  (#eq? @_use "use")
  (#set! method "ANY")
  (#set! style "prefix"))

; router.route("/path").get(handler).post(handler)
((call_expression
  function: (member_expression
    object: (call_expression
    function: (member_expression object: (_) @object property: (property_identifier) @_route)
    arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path .))
    property: (property_identifier) @method)
  arguments: (arguments [(identifier) (member_expression) (call_expression arguments: (arguments . [(identifier) (member_expression)] .))]? @handler .) @site)
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression function: (member_expression object: (call_expression
    function: (member_expression object: (_) @object property: (property_identifier) @_route)
    arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path .))))
    property: (property_identifier) @method)
  arguments: (arguments [(identifier) (member_expression) (call_expression arguments: (arguments . [(identifier) (member_expression)] .))]? @handler .) @site)
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression
    function: (member_expression object: (_) @object property: (property_identifier) @_route)
    arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path .))))))
    property: (property_identifier) @method)
  arguments: (arguments [(identifier) (member_expression) (call_expression arguments: (arguments . [(identifier) (member_expression)] .))]? @handler .) @site)
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression
    function: (member_expression object: (_) @object property: (property_identifier) @_route)
    arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path .))))))))
    property: (property_identifier) @method)
  arguments: (arguments [(identifier) (member_expression) (call_expression arguments: (arguments . [(identifier) (member_expression)] .))]? @handler .) @site)
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression
    function: (member_expression object: (_) @object property: (property_identifier) @_route)
    arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path .))))))))))
    property: (property_identifier) @method)
  arguments: (arguments [(identifier) (member_expression) (call_expression arguments: (arguments . [(identifier) (member_expression)] .))]? @handler .) @site)
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression
    function: (member_expression object: (_) @object property: (property_identifier) @_route)
    arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path .))))))))))))
    property: (property_identifier) @method)
  arguments: (arguments [(identifier) (member_expression) (call_expression arguments: (arguments . [(identifier) (member_expression)] .))]? @handler .) @site)
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
