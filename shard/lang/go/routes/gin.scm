; framework: gin   needs: "gin-gonic/gin"   emits: http.provides

; A group gives its routes a prefix, wherever it is handed to.
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_group)
  arguments: (argument_list . (_) @prefix)) @instance
  (#eq? @_group "Group"))

; routers that this file makes or is given
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)) @instance
  (#eq? @_package "gin")
  (#any-of? @_new "New" "Default")
  (#set! prefix ""))
((parameter_declaration name: (identifier) @bind type: (_) @_type)
  (#match? @_type "^\\*?gin\\.(Engine|IRouter|IRoutes)$"))
((parameter_declaration name: (identifier) @bind type: (_) @_type)
  (#eq? @_type "*gin.RouterGroup")
  (#set! mounted ""))

; r.GET("/path/:id", handler); handlers in front of the last are middleware
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . (_) @path . (_))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any")
  (#set! style "joined")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @method . (_) @path . (_))) @site
  (#eq? @_handle "Handle")
  (#match? @method "^(\"[A-Z]+\"|http\\.Method\\w+)$")
  (#set! style "joined")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_match)
  arguments: (argument_list . (composite_literal body: (literal_value (literal_element (_) @method))) . (_) @path . (_))) @site
  (#eq? @_match "Match")
  (#set! style "joined")
  (#set! anyone "foreign"))

; whose handler has a name
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) [(identifier) (selector_expression)] @handler .)) @site
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any" "Handle" "Match"))
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) (call_expression function: [(identifier) (selector_expression)] @handler) .)) @site
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Any" "Handle" "Match"))

