; framework: openapi_fetch   needs: "openapi-fetch"   emits: http.consumes

; const client = createClient({ baseUrl: "/api" })
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (identifier) @_create)
  (#match? @_create "^create\\w*Client$"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (identifier) @_create arguments: (arguments . (_) @options))
  (#match? @_create "^create\\w*Client$")
  (#set! prefixed "baseUrl"))
((call_expression function: (identifier) @_create) @instance
  (#match? @_create "^create\\w*Client$"))
((call_expression function: (identifier) @_create arguments: (arguments . (_) @options)) @instance
  (#match? @_create "^create\\w*Client$")
  (#set! prefixed "baseUrl"))

; client.GET("/users/{id}", { params })
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @method "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
