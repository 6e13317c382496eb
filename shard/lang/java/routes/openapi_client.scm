; framework: openapi-generator   needs: "invokeAPI" "buildCall"   emits: http.consumes

; apiClient.invokeAPI(path, "GET", ..), apiClient.buildCall(basePath, path, "GET", ..)
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list (_) @path . [(string_literal) (field_access)] @method)) @site
  (#any-of? @_call "invokeAPI" "buildCall")
  (#match? @method "^(\"|HttpMethod\\.)(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\"?$")
  (#set! anyone ""))

; class ApiClient { String basePath = "http://users"; }
((class_declaration
  name: (identifier) @class
  body: (class_body (field_declaration declarator: (variable_declarator name: (identifier) @_base value: (_) @service))))
  (#eq? @class "ApiClient")
  (#eq? @_base "basePath"))
