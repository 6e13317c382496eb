; framework: net/http   needs: "net/http"   emits: http.provides

; http.HandleFunc("GET /path/{id}", handler), mux.Handle("/path/", handler)
((call_expression
  function: (selector_expression field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @_handle "HandleFunc" "Handle")
  (#set! style "mux")
  (#set! default "ANY"))

; r.HandleFunc("/path", handler).Methods("GET"), as in gorilla/mux
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @_handle)
      arguments: (argument_list . (_) @path . (_) .)) @site
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#any-of? @_handle "HandleFunc" "Handle")
  (#eq? @_methods "Methods"))

; whose handler has a name
((call_expression
  function: (selector_expression field: (field_identifier) @_handle)
  arguments: (argument_list . (_) . [(identifier) (selector_expression)] @handler .)) @site
  (#any-of? @_handle "HandleFunc" "Handle"))
