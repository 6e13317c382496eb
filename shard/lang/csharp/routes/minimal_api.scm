; framework: aspnet-minimal   needs: ".MapGroup(" ".MapGet" ".MapPost" ".MapPut" ".MapDelete" ".MapPatch" ".MapMethods" "HealthChecks(" "UsePathBase("   emits: http.provides

; app.MapGet("/x", handler)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @method)
  arguments: (argument_list . (argument) @path . (argument) @_handler)) @site
  (#match? @method "^Map(Get|Post|Put|Delete|Patch)$")
  (#not-match? @_handler "^[$@]*\"")
  (#set! anyone "")
  (#set! style "loose"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_map)
  arguments: (argument_list . (argument) . (argument [(identifier) (member_access_expression)] @handler))) @site
  (#match? @_map "^Map(Get|Post|Put|Delete|Patch)$"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_map)
  arguments: (argument_list
    . (argument) @path
    . (argument [
      (implicit_array_creation_expression (initializer_expression (_) @method))
      (array_creation_expression (initializer_expression (_) @method))
      (collection_expression (collection_element (expression_element (_) @method)))]))) @site
  (#eq? @_map "MapMethods")
  (#set! anyone "")
  (#set! style "loose"))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_map)
  arguments: (argument_list . (argument) @path)) @site
  (#any-of? @_map "MapHealthChecks" "UseHealthChecks")
  (#set! anyone "")
  (#set! style "loose")
  (#set! method "GET"))

; app.Map("/x", () => "hello"): for all methods
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_map)
  arguments: (argument_list . (argument (string_literal)) @path
    . (argument (lambda_expression parameters: (parameter_list))))) @site
  (#eq? @_map "Map")
  (#match? @path "^\"/")
  (#set! anyone "")
  (#set! style "loose")
  (#set! method "ANY"))
; app.Map("/x", branch => ...): all that the branch maps is below
((invocation_expression
  function: (member_access_expression name: (identifier) @_map)
  arguments: (argument_list . (argument (string_literal)) @prefix
    . (argument (lambda_expression parameters: (implicit_parameter))))) @scope
  (#eq? @_map "Map")
  (#match? @prefix "^\"/")
  (#set! style "loose"))

; A group gives its routes a prefix, wherever it is handed to, with whatever is said of it behind.
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @_group)
  arguments: (argument_list . (argument) @prefix)) @instance
  (#eq? @_group "MapGroup"))

; a module of Carter's that hands its base path to the constructor of its base
((class_declaration
  (base_list (identifier) @_base)
  body: (declaration_list (constructor_declaration (constructor_initializer (argument_list . (argument) @prefix))))) @scope
  (#eq? @_base "CarterModule")
  (#set! style "loose"))

; app.UsePathBase("/shop"): for all routes of the program
((invocation_expression
  function: (member_access_expression name: (identifier) @_base)
  arguments: (argument_list . (argument) @prefix .))
  (#eq? @_base "UsePathBase")
  (#set! style "loose")
  (#set! global ""))
