; framework: httprouter   needs: "julienschmidt/httprouter" "dimfeld/httptreemux" "bmizerany/pat"   emits: http.provides

; router.GET("/path/:id", handler), router.Handler("GET", "/path", h)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @method . (_) @path . (_) .)) @site
  (#any-of? @_handle "Handle" "Handler" "HandlerFunc" "HandleFunc")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) [
    (identifier) @handler
    (selector_expression) @handler
    (call_expression arguments: (argument_list . [(identifier) (selector_expression)] @handler .))] .)) @site
  (#any-of? @_method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Handle" "Handler" "HandlerFunc" "HandleFunc"))
