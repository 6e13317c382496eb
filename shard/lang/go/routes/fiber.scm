; framework: fiber   needs: "gofiber/fiber" "kataras/iris"   emits: http.provides

; A group gives its routes a prefix, wherever it is handed to.
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_group)
  arguments: (argument_list . (_) @prefix)) @instance
  (#any-of? @_group "Group" "Party"))

; app.Route("/x", func(r fiber.Router) { ... })
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_route)
  arguments: (argument_list . (_) @prefix
    . (func_literal parameters: (parameter_list . (parameter_declaration name: (identifier) @bind)))))
  (#any-of? @_route "Route" "PartyFunc"))

; app.Mount("/orders", orders), app.Use("/orders", orders)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_mount)
  arguments: (argument_list . (_) @prefix . [(identifier) (selector_expression) (call_expression)] @bind .))
  (#any-of? @_mount "Mount" "Use"))

; app.Get("/path/:id", handler)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (binary_expression) (identifier) (selector_expression)] @path . (_))) @site
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options" "All")
  (#not-match? @object "^(http|c|ctx)$")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_add)
  arguments: (argument_list . (_) @method . (_) @path . (_))) @site
  (#eq? @_add "Add")
  (#match? @method "^(\"[A-Z]+\"|(http|fiber)\\.\\w+)$")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) [(identifier) (selector_expression)] @handler .)) @site
  (#any-of? @_method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options" "All" "Add"))
