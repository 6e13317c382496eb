; framework: request   needs: "request'" "request-promise" "superagent'" "got'" "needle'" "ky'"   emits: http.consumes

; The module, under the name that it is required by.
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (identifier) @_require arguments: (arguments (string) @_module))
  (#eq? @_require "require")
  (#match? @_module "^.(request|request-promise|request-promise-native|superagent|got|needle).$"))
(import_statement
  (import_clause (identifier) @bind)
  source: (string) @_module
  (#match? @_module "^.(request|request-promise|superagent|got|needle|ky).$"))

; request(url), request({ url, method })
((call_expression
  function: (identifier) @object
  arguments: (arguments . [(string) (template_string) (binary_expression) (member_expression) (call_expression)] @path)) @site
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#any-of? @_key "url" "uri")
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments (object (pair key: (property_identifier) @_key value: (_) @method)))) @site
  (#eq? @_key "method"))

; request.post(url), request.put({ url })
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (member_expression) (call_expression) (identifier)] @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "del" "patch" "head"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @method)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#any-of? @method "get" "post" "put" "delete" "del" "patch" "head")
  (#any-of? @_key "url" "uri"))
