; framework: gin   needs: "gin-gonic/gin" "labstack/echo"   emits: http.provides

; Groups of this file give their routes a prefix.
(short_var_declaration
  left: (expression_list . (identifier) @bind)
  right: (expression_list . (call_expression
    function: (selector_expression operand: (identifier) @object field: (field_identifier) @_group)
    arguments: (argument_list . (_) @prefix)))
  (#eq? @_group "Group"))

; r.GET("/path/:id", handler)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . (_) @path . (_))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any")
  (#set! anyone ""))

; whose handler has a name
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) [(identifier) (selector_expression)] @handler .)) @site
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any"))
