; framework: fastendpoints   needs: "FastEndpoints"   emits: http.provides

; Get("/x"), Routes("/x") with Verbs(Http.GET) in Configure()
((method_declaration
  name: (identifier) @_configure
  body: [
    (block (expression_statement (invocation_expression
      function: (identifier) @method
      arguments: (argument_list . (argument) @path)) @site))
    (arrow_expression_clause (invocation_expression
      function: (identifier) @method
      arguments: (argument_list . (argument) @path)) @site)])
  (#eq? @_configure "Configure")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head")
  (#set! style "loose"))
((block
  (expression_statement (invocation_expression
    function: (identifier) @_verbs
    arguments: (argument_list (argument) @method)))
  (expression_statement (invocation_expression
    function: (identifier) @_routes
    arguments: (argument_list (argument) @path)) @site))
  (#eq? @_verbs "Verbs")
  (#eq? @_routes "Routes")
  (#set! style "loose"))
