; framework: gorilla   needs: "gorilla/mux" "mux.Router" "mux.NewRouter"   emits: http.provides

; api := r.PathPrefix("/api").Subrouter(): below it, wherever it is handed to
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_prefix)
      arguments: (argument_list . (_) @prefix .))
    field: (field_identifier) @_subrouter)) @instance
  (#eq? @_prefix "PathPrefix")
  (#eq? @_subrouter "Subrouter"))
; get := api.Methods("GET").Subrouter(): below what api is below, and only such requests
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_methods))
    field: (field_identifier) @_subrouter)) @instance
  (#any-of? @_methods "Methods" "Host" "Headers" "Schemes" "NewRoute")
  (#eq? @_subrouter "Subrouter")
  (#set! prefix ""))
(short_var_declaration
  left: (expression_list . (identifier) @bind)
  right: (expression_list . (call_expression
    function: (selector_expression
      operand: (call_expression
        function: (selector_expression field: (field_identifier) @_methods)
        arguments: (argument_list (_) @method))
      field: (field_identifier) @_subrouter)))
  (#eq? @_methods "Methods")
  (#eq? @_subrouter "Subrouter"))

; r.Methods("GET").Path("/x/{id}").Handler(h) and .PathPrefix("/x"), in either order, with others between them
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_methods)
      arguments: (argument_list (_) @method))
    field: (field_identifier) @_path)
  arguments: (argument_list . (_) @path .)) @site
  (#eq? @_methods "Methods")
  (#eq? @_path "Path")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_methods)
      arguments: (argument_list (_) @method))
    field: (field_identifier) @_path)
  arguments: (argument_list . (_) @path .)) @site
  (#eq? @_methods "Methods")
  (#eq? @_path "PathPrefix")
  (#set! anyone "foreign")
  (#set! style "prefix"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_path)
      arguments: (argument_list . (_) @path .)) @site
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#eq? @_methods "Methods")
  (#eq? @_path "Path")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_path)
      arguments: (argument_list . (_) @path .)) @site
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#eq? @_methods "Methods")
  (#eq? @_path "PathPrefix")
  (#set! anyone "foreign")
  (#set! style "prefix"))

; r.Path("/x").Handler(h) and r.PathPrefix("/x").HandlerFunc(h) answer any method, and r.NewRoute().Path("/x")
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_path)
      arguments: (argument_list . (_) @path .)) @site
    field: (field_identifier) @_handler)
  arguments: (argument_list . [(identifier) (selector_expression) (call_expression) (func_literal)]))
  (#eq? @_path "Path")
  (#any-of? @_handler "Handler" "HandlerFunc")
  (#not-match? @object "\\.Methods\\(")
  (#set! anyone "foreign")
  (#set! default "ANY"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (_) @object field: (field_identifier) @_path)
      arguments: (argument_list . (_) @path .)) @site
    field: (field_identifier) @_handler)
  arguments: (argument_list . [(identifier) (selector_expression) (call_expression) (func_literal)]))
  (#eq? @_path "PathPrefix")
  (#any-of? @_handler "Handler" "HandlerFunc")
  (#not-match? @object "\\.Methods\\(")
  (#set! anyone "foreign")
  (#set! style "prefix")
  (#set! default "ANY"))

; whose handler has a name
((call_expression
  function: (selector_expression operand: (call_expression function: (selector_expression field: (field_identifier) @_path)) @site
    field: (field_identifier) @_handler)
  arguments: (argument_list . [(identifier) (selector_expression)] @handler .))
  (#any-of? @_path "Path" "PathPrefix")
  (#any-of? @_handler "Handler" "HandlerFunc"))
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression
      operand: (call_expression function: (selector_expression field: (field_identifier) @_path)) @site
      field: (field_identifier) @_methods))
    field: (field_identifier) @_handler)
  arguments: (argument_list . [(identifier) (selector_expression)] @handler .))
  (#any-of? @_path "Path" "PathPrefix")
  (#any-of? @_methods "Methods" "Name" "Queries" "Headers" "Schemes")
  (#any-of? @_handler "Handler" "HandlerFunc"))

; api.HandleFunc("/path", handler).Methods("GET")
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @_handle "HandleFunc" "Handle")
  (#set! anyone "foreign")
  (#set! default "ANY"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @_handle)) @site
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#any-of? @_handle "HandleFunc" "Handle")
  (#eq? @_methods "Methods"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression
        operand: (call_expression
          function: (selector_expression field: (field_identifier) @_handle)) @site
        field: (field_identifier) @_between))
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#any-of? @_handle "HandleFunc" "Handle")
  (#any-of? @_between "Name" "Queries" "Headers" "Schemes" "Host")
  (#eq? @_methods "Methods"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression
        operand: (_) @object
        field: (field_identifier) @_methods)
      arguments: (argument_list (_) @method))
    field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @_handle "HandleFunc" "Handle")
  (#eq? @_methods "Methods"))
((call_expression
  function: (selector_expression field: (field_identifier) @_handle)
  arguments: (argument_list . (_) . [
    (identifier) @handler
    (selector_expression) @handler
    (call_expression arguments: (argument_list . [(identifier) (selector_expression)] @handler .))] .)) @site
  (#any-of? @_handle "HandleFunc" "Handle"))
