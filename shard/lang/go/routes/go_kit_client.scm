; framework: go-kit   needs: "go-kit/kit/transport/http"   emits: http.consumes

; httptransport.NewClient("POST", copyURL(base, "/path"), encode, decode)
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)
  arguments: (argument_list . (_) @method . (call_expression arguments: (argument_list (_) . [(interpreted_string_literal) (identifier)] @path .)))) @site
  (#match? @_package "(?i:http|transport)")
  (#eq? @_new "NewClient"))
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)
  arguments: (argument_list . (_) @method . [(identifier) (selector_expression)] @path)) @site
  (#match? @_package "(?i:http|transport)")
  (#eq? @_new "NewClient"))
