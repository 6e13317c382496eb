; framework: resty   needs: "resty"   emits: http.consumes

; client := resty.New().SetBaseURL("http://users"), client.SetBaseURL(...)
(short_var_declaration
  left: (expression_list . (identifier) @bind)
  right: (expression_list . (call_expression
    function: (selector_expression field: (field_identifier) @_base)
    arguments: (argument_list . (_) @prefix)))
  (#any-of? @_base "SetBaseURL" "SetHostURL"))
((call_expression
  function: (selector_expression operand: [(identifier) (selector_expression)] @bind field: (field_identifier) @_base)
  arguments: (argument_list . (_) @prefix))
  (#any-of? @_base "SetBaseURL" "SetHostURL"))

((call_expression
  function: (selector_expression field: (field_identifier) @_base)
  arguments: (argument_list . (_) @prefix)) @instance
  (#any-of? @_base "SetBaseURL" "SetHostURL"))

; client.R().Get(url), client.R().SetBody(b).SetContext(c).Post(url)
((call_expression
  function: (selector_expression operand: (call_expression) @_request field: (field_identifier) @method)
  arguments: (argument_list . (_) @path .)) @site
  (#match? @_request "\\bR\\(\\)")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options"))
((call_expression
  function: (selector_expression operand: (call_expression) @_request field: (field_identifier) @_execute)
  arguments: (argument_list . (_) @method . (_) @path .)) @site
  (#match? @_request "\\bR\\(\\)")
  (#eq? @_execute "Execute"))

; the client, up to three steps before
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression operand: (_) @object field: (field_identifier) @_r)))) @site
  (#eq? @_r "R")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression
      operand: (call_expression function: (selector_expression operand: (_) @object field: (field_identifier) @_r)))))) @site
  (#eq? @_r "R")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression
      operand: (call_expression function: (selector_expression
        operand: (call_expression function: (selector_expression operand: (_) @object field: (field_identifier) @_r)))))))) @site
  (#eq? @_r "R")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression
      operand: (call_expression function: (selector_expression
        operand: (call_expression function: (selector_expression
          operand: (call_expression function: (selector_expression operand: (_) @object field: (field_identifier) @_r)))))))))) @site
  (#eq? @_r "R")
  (#set! anyone "foreign"))
