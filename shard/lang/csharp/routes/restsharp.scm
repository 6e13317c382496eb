; framework: restsharp   needs: "RestSharp" "RestRequest"   emits: http.consumes

((object_creation_expression
  type: (identifier) @_type
  arguments: (argument_list . (argument [
    (string_literal) (interpolated_string_expression) (binary_expression) (identifier) (invocation_expression)]) @path))
  @site
  (#eq? @_type "RestRequest")
  (#set! default "GET"))
((object_creation_expression
  type: (identifier) @_type
  arguments: (argument_list . (argument (member_access_expression)) @path))
  @site
  (#eq? @_type "RestRequest")
  (#not-match? @path "^Method\\.")
  (#set! default "GET"))
((object_creation_expression
  type: (identifier) @_type
  arguments: (argument_list (argument (member_access_expression expression: (identifier) @_method)) @method)) @site
  (#eq? @_type "RestRequest")
  (#eq? @_method "Method")
  (#set! bare ""))
((object_creation_expression
  type: (identifier) @_type
  arguments: (argument_list . (argument) @service))
  (#eq? @_type "RestClient"))
