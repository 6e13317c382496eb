; framework: fastify   needs: "astify" "(request, reply)" "(req, reply)" "(_request, reply)" "(_req, reply)" "reply.send(" "reply.code("   emits: http.provides

; Made here, or given under the usual name.
((call_expression function: [(identifier) (member_expression) (call_expression)] @_make) @instance
  (#match? @_make "(?i)^(fastify(\\.(default|fastify))?|require\\(.fastify.\\))$"))
((call_expression function: [(identifier) (call_expression)] @_make) @instance (#match? @_make "(?i)^(fastify|require\\(.fastify.\\))$"))

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

; fastify.register(autoload, { dir: "routes" }): the folders below are prefixes
((call_expression
  function: (member_expression property: (property_identifier) @_register)
  arguments: (arguments . (_) @_load . (object (pair key: (property_identifier) @_dir value: (_) @prefix))))
  (#eq? @_register "register")
  (#match? @_load "(?i)auto_?load")
  (#eq? @_dir "dir")
  (#not-match? @prefix "(?i)plugins?\\b|hooks|decorators")
  (#set! style "folder")
  (#set! global ""))
((call_expression
  function: (member_expression property: (property_identifier) @_register)
  arguments: (arguments . (_) @_load . (object
    (pair key: (property_identifier) @_dir value: (_) @prefix)
    (pair key: (property_identifier) @_options value: (object (pair key: (property_identifier) @_prefix value: (_) @base))))))
  (#eq? @_register "register")
  (#match? @_load "(?i)auto_?load")
  (#eq? @_dir "dir")
  (#eq? @_options "options")
  (#eq? @_prefix "prefix"))

; fastify.get("/path", { schema }, handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path . (_))) @site
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

; router[method]("/path", handler)
((call_expression
  function: (subscript_expression object: (_) @object index: [(identifier) (member_expression) (call_expression) (string)] @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier) (member_expression) (call_expression)] @path . (_)) @site))
