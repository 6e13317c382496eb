; framework: fastify   needs: "astify"   emits: http.provides

; Made here, or given under the usual name.
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: [(identifier) (member_expression) (call_expression)] @_make)
  (#match? @_make "(?i)^(fastify(\\.(default|fastify))?|require\\(.fastify.\\))$"))
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (call_expression function: [(identifier) (call_expression)] @_make)
  (#match? @_make "(?i)^(fastify|require\\(.fastify.\\))$"))

; fastify.register(async (app) => { ... }, { prefix: "/v1" })
((call_expression
  function: (member_expression property: (property_identifier) @_register)
  arguments: (arguments . [(arrow_function) (function_expression)] @scope . (_) @options))
  (#eq? @_register "register")
  (#set! prefixed "prefix"))

; fastify.register(plugin, { prefix: "/v1" })
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_register)
  arguments: (arguments . [(identifier) (member_expression) (call_expression)] @bind . (_) @options))
  (#eq? @_register "register")
  (#set! prefixed "prefix"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_register)
  arguments: (arguments . [(identifier) (member_expression) (call_expression)] @bind .))
  (#eq? @_register "register"))

; fastify.get("/path", { schema }, handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression)] @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) [(identifier) (member_expression)] @handler .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))

; fastify.route({ method, url, handler })
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_route)
  arguments: (arguments . (_) @options)) @site
  (#eq? @_route "route")
  (#set! path "url path")
  (#set! verb "method")
  (#set! handler "handler"))
