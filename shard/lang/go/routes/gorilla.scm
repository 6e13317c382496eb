; framework: gorilla   needs: "gorilla/mux"   emits: http.provides

; r.Methods("GET").Path("/x/{id}").Handler(h) and .PathPrefix("/x"), in either order
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @_methods)
      arguments: (argument_list (_) @method))
    field: (field_identifier) @_path)
  arguments: (argument_list . (_) @path .)) @site
  (#eq? @_methods "Methods")
  (#eq? @_path "Path"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @_methods)
      arguments: (argument_list (_) @method))
    field: (field_identifier) @_path)
  arguments: (argument_list . (_) @path .)) @site
  (#eq? @_methods "Methods")
  (#eq? @_path "PathPrefix")
  (#set! style "prefix"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @_path)
      arguments: (argument_list . (_) @path .)) @site
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#eq? @_methods "Methods")
  (#eq? @_path "Path"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @_path)
      arguments: (argument_list . (_) @path .)) @site
    field: (field_identifier) @_methods)
  arguments: (argument_list (_) @method))
  (#eq? @_methods "Methods")
  (#eq? @_path "PathPrefix")
  (#set! style "prefix"))
