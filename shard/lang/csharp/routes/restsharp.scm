; framework: restsharp   needs: "RestSharp" "RestRequest"   emits: http.consumes

((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument [
    (string_literal) (interpolated_string_expression) (binary_expression) (identifier) (invocation_expression)]) @path))
  @site
  (#match? @_type "(^|\\.)RestRequest$")
  (#set! default "GET"))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument (member_access_expression)) @path))
  @site
  (#match? @_type "(^|\\.)RestRequest$")
  (#not-match? @path "^Method\\.")
  (#set! default "GET"))
; its method: the second argument, or the only one
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument) . (argument) @method)) @site
  (#match? @_type "(^|\\.)RestRequest$")
  (#not-match? @method "DataFormat"))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument (member_access_expression expression: (_) @_method)) @method)) @site
  (#match? @_type "(^|\\.)RestRequest$")
  (#match? @_method "(^|\\.)Method$")
  (#set! bare ""))

; new RestRequest { Resource = "users", Method = Method.Post }
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#match? @_type "(^|\\.)RestRequest$")
  (#eq? @_key "Resource")
  (#set! default "GET"))
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @method))) @site
  (#match? @_type "(^|\\.)RestRequest$")
  (#eq? @_key "Method"))

; client.PostAsync(new RestRequest("users")), client.GetJsonAsync<T>("users/{id}")
((invocation_expression
  function: (member_access_expression name: [(identifier) @method (generic_name (identifier) @method)])
  arguments: (argument_list . (argument (object_creation_expression type: (_) @_type) @site)))
  (#match? @_type "(^|\\.)RestRequest$")
  (#match? @method "^(Get|Post|Put|Patch|Delete|Head)(Async)?$"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [(identifier) @method (generic_name (identifier) @method)])
  arguments: (argument_list . (argument) @path)) @site
  (#match? @method "^(Get|Post|Put|Patch|Delete)Json(Async)?$")
  (#set! anyone ""))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument) @service))
  (#match? @_type "(^|\\.)RestClient$"))
