; framework: net/http   needs: "net/http" "ServerConfigurations{"   emits: http.consumes

; Clients of this file: http.Client{...}, &http.Client{...}, http.DefaultClient, and the package itself.
((identifier) @bind (#eq? @bind "http"))
((selector_expression) @bind (#eq? @bind "http.DefaultClient"))
(short_var_declaration
  left: (expression_list . (identifier) @bind)
  right: (expression_list . (_) @_make)
  (#match? @_make "^(&?http\\.Client\\{|http\\.DefaultClient$|new\\(http\\.Client\\)$|retryablehttp\\.)"))
(var_spec name: (identifier) @bind value: (expression_list . (_) @_make)
  (#match? @_make "^(&?http\\.Client\\{|http\\.DefaultClient$)"))
(var_spec name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?http\\.Client$"))
(parameter_declaration name: (identifier) @bind type: (_) @_type (#match? @_type "^\\*?http\\.Client$"))
(field_declaration name: (field_identifier) @bind type: (_) @_type (#match? @_type "^\\*?(http|retryablehttp)\\.Client$"))

; type Client struct { *http.Client }
(type_spec name: (type_identifier) @bind type: (struct_type (field_declaration_list (field_declaration !name type: (_) @_type)))
  (#match? @_type "^\\*?(http|retryablehttp)\\.Client$")
  (#set! typed ""))

((call_expression
  function: (selector_expression operand: [
    (identifier) @object
    (selector_expression) @object
    (selector_expression field: (field_identifier) @object)] field: (field_identifier) @method)
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "Get" "Post" "Head")
  (#not-any-of? @object "ctxhttp" "otelhttp"))
((call_expression
  function: (selector_expression operand: [
    (identifier) @object
    (selector_expression) @object
    (selector_expression field: (field_identifier) @object)] field: (field_identifier) @_form)
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_form "PostForm")
  (#set! method "POST"))
((call_expression
  function: (selector_expression operand: (identifier) @_http field: (field_identifier) @_new)
  arguments: (argument_list . (_) @method . (_) @path)) @site
  (#any-of? @_http "http" "retryablehttp")
  (#eq? @_new "NewRequest"))
((call_expression
  function: (selector_expression operand: (identifier) @_http field: (field_identifier) @_new)
  arguments: (argument_list . (_) . (_) @method . (_) @path)) @site
  (#any-of? @_http "http" "retryablehttp")
  (#eq? @_new "NewRequestWithContext"))

; ctxhttp.Get(ctx, client, url), otelhttp.Get(ctx, url)
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @method)
  arguments: (argument_list . (_) . (_) . (_) @path)) @site
  (#eq? @_package "ctxhttp")
  (#any-of? @method "Get" "Post" "Head"))
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @method)
  arguments: (argument_list . (_) . (_) @path)) @site
  (#eq? @_package "otelhttp")
  (#any-of? @method "Get" "Post" "Head"))

; OpenAPI Generator: the address of the package's service, &Configuration{Servers: ServerConfigurations{{URL: "https://…"}}}
((composite_literal type: (type_identifier) @_type
  body: (literal_value . (literal_element (literal_value
    (keyed_element (literal_element (identifier) @_url) (literal_element (_) @prefix))))))
  (#eq? @_type "ServerConfigurations")
  (#eq? @_url "URL")
  (#set! style "package")
  (#set! global ""))
