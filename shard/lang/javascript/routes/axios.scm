; framework: axios   needs: "axios"   emits: http.consumes

; Instances, which may have a base URL.
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (member_expression) @_create)
  (#eq? @_create "axios.create"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression
    function: (member_expression) @_create
    arguments: (arguments (object (pair key: (property_identifier) @_key value: (_) @prefix))))
  (#eq? @_create "axios.create")
  (#eq? @_key "baseURL"))
(import_clause (identifier) @bind (#eq? @bind "axios"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (identifier) @_require arguments: (arguments (string) @_axios))
  (#eq? @_require "require")
  (#match? @_axios "^.axios.$"))
(variable_declarator
  name: (identifier) @bind
  value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments (string) @_axios)))
  (#eq? @_require "require")
  (#match? @_axios "^.axios.$"))

; axios.get(url)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))

; axios({ method, url }), axios.request({ method, url })
((call_expression
  function: (identifier) @object
  arguments: (arguments . (object (pair key: (property_identifier) @_url value: (_) @path)))) @site
  (#eq? @_url "url")
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments (object (pair key: (property_identifier) @_method value: (_) @method)))) @site
  (#eq? @_method "method"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (object (pair key: (property_identifier) @_url value: (_) @path)))) @site
  (#eq? @_request "request")
  (#eq? @_url "url")
  (#set! default "GET"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (object (pair key: (property_identifier) @_method value: (_) @method)))) @site
  (#eq? @_request "request")
  (#eq? @_method "method"))

; axios(url)
((call_expression
  function: (identifier) @object
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier)] @path)) @site
  (#set! default "GET"))
