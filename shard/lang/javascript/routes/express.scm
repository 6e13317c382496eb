; framework: express   needs: "express" "outer" "app."   emits: http.provides

; What is an application or a router: made here, or given to this file under its usual name.
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: [(identifier) (member_expression)] @_make)
  (#match? @_make "^(express|(express\\.)?Router)$"))
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (call_expression function: [(identifier) (member_expression)] @_make)
  (#match? @_make "^(express|(express\\.)?Router)$"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (call_expression
    function: (identifier) @_require arguments: (arguments . (string) @_module .)))
  (#eq? @_require "require")
  (#match? @_module "^.express.$"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @_module .))
    property: (property_identifier) @_make))
  (#eq? @_require "require")
  (#match? @_module "^.express.$")
  (#eq? @_make "Router"))
(variable_declarator
  name: (identifier) @bind
  value: (new_expression constructor: [(identifier) (member_expression)] @_make)
  (#match? @_make "^((express\\.)?Router)$"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (identifier) @_require)
  (#eq? @_require "require")
  (#match? @bind "^(app|router)$"))
(import_clause (identifier) @bind (#match? @bind "^(app|router)$"))
(import_specifier name: (identifier) @bind (#match? @bind "^(app|router)$"))

; A router mounted in this file gives its routes a prefix.
(call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_use)
  arguments: (arguments . (string) @prefix . (identifier) @bind .)
  (#eq? @_use "use"))

; app.get("/path", handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression)] @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options" "del"))

((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) [(identifier) (member_expression)] @handler .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options" "del"))

; app.get(["/a", "/b"], handler)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (array (string) @path) . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))

; router.route("/path").get(handler).post(handler)
((call_expression
  function: (member_expression
    object: (call_expression
      function: (member_expression object: (_) @object property: (property_identifier) @_route)
      arguments: (arguments . [(string) (template_string)] @path .))
    property: (property_identifier) @method)) @site
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression
      function: (member_expression
        object: (call_expression
          function: (member_expression object: (_) @object property: (property_identifier) @_route)
          arguments: (arguments . [(string) (template_string)] @path .))))
    property: (property_identifier) @method)) @site
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
((call_expression
  function: (member_expression
    object: (call_expression
      function: (member_expression
        object: (call_expression
          function: (member_expression
            object: (call_expression
              function: (member_expression object: (_) @object property: (property_identifier) @_route)
              arguments: (arguments . [(string) (template_string)] @path .))))))
    property: (property_identifier) @method)) @site
  (#eq? @_route "route")
  (#any-of? @method "get" "post" "put" "delete" "patch" "all" "head" "options"))
