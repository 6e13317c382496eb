; framework: fastendpoints   needs: "FastEndpoints"   emits: http.provides

; Get("/x"), Routes("/x") with Verbs(Http.GET) in Configure()
((invocation_expression
  function: (identifier) @method
  arguments: (argument_list . (argument) @path)) @site
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
