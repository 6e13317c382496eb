; framework: go-restful   needs: "go-restful"   emits: http.provides

; ws.Path("/users").Consumes(...); ws.Route(ws.GET("/{id}").To(h))
((call_expression
  function: (selector_expression operand: (identifier) @bind field: (field_identifier) @_path)
  arguments: (argument_list . (_) @prefix .))
  (#eq? @_path "Path"))
((call_expression
  function: (selector_expression operand: (identifier) @object field: (field_identifier) @method)
  arguments: (argument_list . (_) @path .)) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression field: (field_identifier) @_method)) @site
    field: (field_identifier) @_to)
  arguments: (argument_list . [(identifier) (selector_expression)] @handler .))
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_to "To"))
