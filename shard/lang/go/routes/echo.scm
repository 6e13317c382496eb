; framework: echo   needs: "labstack/echo"   emits: http.provides

; A group gives its routes a prefix, wherever it is handed to.
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_group)
  arguments: (argument_list . (_) @prefix)) @instance
  (#any-of? @_group "Group"))

; routers that this file makes or is given
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)) @instance
  (#eq? @_package "echo")
  (#eq? @_new "New")
  (#set! prefix ""))
((parameter_declaration name: (identifier) @bind type: (_) @_type)
  (#eq? @_type "*echo.Echo"))
((parameter_declaration name: (identifier) @bind type: (_) @_type)
  (#eq? @_type "*echo.Group")
  (#set! mounted ""))

; e.GET("/path/:id", handler, middleware...)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . (_) @path . (_))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any")
  (#set! style "glued")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_add)
  arguments: (argument_list . (_) @method . (_) @path . (_))) @site
  (#eq? @_add "Add")
  (#match? @method "^(\"[A-Z]+\"|(http|echo)\\.\\w+)$")
  (#set! style "glued")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_match)
  arguments: (argument_list . (composite_literal body: (literal_value (literal_element (_) @method))) . (_) @path . (_))) @site
  (#eq? @_match "Match")
  (#set! style "glued")
  (#set! anyone "foreign"))

; whose handler has a name
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) . [
    (identifier) @handler
    (selector_expression) @handler
    (call_expression function: [(identifier) (selector_expression)] @handler)])) @site
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any"))
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) . (_) . [(identifier) (selector_expression)] @handler)) @site
  (#any-of? @_method "Add" "Match"))
