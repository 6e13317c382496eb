; framework: resty   needs: "resty"   emits: http.consumes

; client := resty.New().SetBaseURL("http://users"), client.SetBaseURL(...)
((call_expression
    function: (selector_expression field: (field_identifier) @_base)
    arguments: (argument_list . (_) @prefix)) @instance
  (#any-of? @_base "SetBaseURL" "SetHostURL"))
((call_expression
  function: (selector_expression operand: [(identifier) (selector_expression)] @bind field: (field_identifier) @_base)
  arguments: (argument_list . (_) @prefix))
  (#any-of? @_base "SetBaseURL" "SetHostURL"))

; clients and requests that a file does not make itself
; each DECLARATION NAME
;   field_declaration | field_identifier
;   parameter_declaration | identifier
;   var_spec | identifier
(($DECLARATION name: ($NAME) @bind type: (_) @_type)
  (#match? @_type "^\\*?resty\\.(Client|Request)$"))
; end
(type_spec name: (type_identifier) @bind type: (struct_type (field_declaration_list (field_declaration !name type: (_) @_type)))
  (#match? @_type "^\\*?resty\\.Client$")
  (#set! typed ""))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)) @instance
  (#eq? @_package "resty")
  (#match? @_new "^New")
  (#set! prefix ""))

; client.R().Get(url), request.SetBody(b).SetContext(c).Post(url)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . (_) @path .)) @site
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_execute)
  arguments: (argument_list . (_) @method . (_) @path .)) @site
  (#eq? @_execute "Execute"))
((call_expression
  function: (selector_expression operand: (call_expression) @_request)) @site
  (#match? @_request "\\bR\\(\\)")
  (#set! anyone "foreign"))

; client.OnBeforeRequest(func(c *resty.Client, r *resty.Request) error { r.URL = base + r.URL })
((call_expression
  function: (selector_expression operand: (_) @bind field: (field_identifier) @_before)
  arguments: (argument_list . (_) @intercept))
  (#any-of? @_before "OnBeforeRequest" "SetPreRequestHook"))
((assignment_statement
  left: (expression_list . (selector_expression operand: (identifier) @object field: (field_identifier) @_url) .)
  right: (expression_list . (_) @prefix .))
  (#eq? @_url "URL")
  (#set! changes "url"))
