; framework: azure-functions   needs: "@azure/functions'"   emits: http.provides

(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @_app !alias) @bind))
  source: (string) @_module
  (#eq? @_app "app")
  (#match? @_module "^.@azure/functions.$"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @bind)
  value: (call_expression function: (identifier) @_require arguments: (arguments (string) @_module))
  (#eq? @_require "require")
  (#eq? @bind "app")
  (#match? @_module "^.@azure/functions.$"))

; app.get("name", { route: "users/{id}", handler }), app.http("name", { methods: ["GET"], handler }); without a route the name is it
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @method)
  arguments: (arguments . (_) . (object) @options)) @site
  (#any-of? @method "get" "post" "put" "patch" "deleteRequest")
  (#match? @options "\\broute\\s*[:,]")
  (#set! path "route")
  (#set! handler "handler")
  (#set! prefix "/api/"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_http)
  arguments: (arguments . (_) . (object) @options)) @site
  (#eq? @_http "http")
  (#match? @options "\\broute\\s*[:,]")
  (#set! path "route")
  (#set! verb "methods")
  (#set! handler "handler")
  (#set! default "ANY")
  (#set! prefix "/api/"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_http)
  arguments: (arguments . (_) @path . (object) @options)) @site
  (#eq? @_http "http")
  (#not-match? @options "\\broute\\s*[:,]")
  (#set! verb "methods")
  (#set! handler "handler")
  (#set! default "ANY")
  (#set! prefix "/api/"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @method)
  arguments: (arguments . (string) @path . [(identifier) (member_expression) (arrow_function) (function_expression)] @handler .)) @site
  (#any-of? @method "get" "post" "put" "patch" "deleteRequest")
  (#set! prefix "/api/"))
