; framework: ktor-client   needs: "io.ktor.client"   emits: http.consumes

(property_declaration
  (variable_declaration (simple_identifier) @bind)
  (call_expression (simple_identifier) @_type)
  (#eq? @_type "HttpClient"))
(class_parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#eq? @_type "HttpClient"))
(parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#eq? @_type "HttpClient"))

; client.get(url) { .. }
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head"))
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#match? @object "^(this\\.)?([hH]ttpClient|client)$")
  (#set! anyone ""))

; defaultRequest { url("http://x") }
((call_expression
  (simple_identifier) @_default
  (call_suffix (annotated_lambda (lambda_literal (statements (call_expression
    (simple_identifier) @_url
    (call_suffix (value_arguments . (value_argument) @service))))))))
  (#any-of? @_default "defaultRequest")
  (#eq? @_url "url"))
