; framework: openapi-generator   needs: "RequestConfig("   emits: http.consumes

; RequestConfig(method = RequestMethod.GET, path = "/users", ..)
((call_expression
  (simple_identifier) @_config
  (call_suffix (value_arguments (value_argument . (simple_identifier) @_key . (_) @path .)))) @site
  (#eq? @_config "RequestConfig")
  (#eq? @_key "path"))
((call_expression
  (simple_identifier) @_config
  (call_suffix (value_arguments (value_argument . (simple_identifier) @_key . (_) @method .)))) @site
  (#eq? @_config "RequestConfig")
  (#eq? @_key "method"))

; class UsersApi(basePath: String = "http://users") : ApiClient(basePath)
((class_declaration (delegation_specifier (constructor_invocation
  (user_type (type_identifier) @_base)
  (value_arguments . (value_argument) @service)))) @scope
  (#eq? @_base "ApiClient"))
