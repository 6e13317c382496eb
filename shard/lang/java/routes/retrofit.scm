; framework: retrofit   needs: "retrofit2" "retrofit."   emits: http.consumes

((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @method
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_pair value: [(string_literal) (binary_expression) (identifier) (field_access)] @path)])) @site)))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS"))
((interface_body (method_declaration
  (modifiers (marker_annotation name: (identifier) @method) @site)
  parameters: (formal_parameters (formal_parameter (modifiers (marker_annotation name: (identifier) @_url)) name: (_) @path))))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_url "Url"))
((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_http
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))) @site)))
  (#eq? @_http "HTTP")
  (#eq? @_key "path"))
((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_http
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @method))) @site)))
  (#eq? @_http "HTTP")
  (#eq? @_key "method"))

; retrofit.create(Users.class): retrofit, or the builder that it is made by, has the base URL
((method_invocation
  object: (_) @service
  name: (identifier) @_create
  arguments: (argument_list . (class_literal (type_identifier) @class) .))
  (#eq? @_create "create"))
