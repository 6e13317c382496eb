; framework: chi   needs: "go-chi/chi"   emits: http.provides

; What is below another router: r.Route("/users", func(r chi.Router) { ... }), r.Group(func(r chi.Router) { ... })
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_route)
  arguments: (argument_list . (_) @prefix
    . (func_literal parameters: (parameter_list . (parameter_declaration name: (identifier) @bind)))))
  (#eq? @_route "Route"))
; the same by name, r.Route("/users", usersRoutes): what that function is given
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_route)
  arguments: (argument_list . (_) @prefix . [(identifier) (selector_expression)] @bind .))
  (#eq? @_route "Route"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_group)
  arguments: (argument_list . [(identifier) (selector_expression)] @bind .))
  (#eq? @_group "Group")
  (#set! prefix ""))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_group)
  arguments: (argument_list . (func_literal parameters: (parameter_list . (parameter_declaration name: (identifier) @bind)))))
  (#eq? @_group "Group")
  (#set! prefix ""))
; r.Mount("/users", usersRouter())
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_mount)
  arguments: (argument_list . (_) @prefix . (_) @bind .))
  (#eq? @_mount "Mount"))
; r.With(middleware)
((call_expression function: (selector_expression operand: (_) @object field: (field_identifier) @_with)) @instance
  (#eq? @_with "With")
  (#set! prefix ""))

; r.Get("/path/{id}", handler), r.With(m).Get(...)
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @method)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (binary_expression) (identifier) (selector_expression)] @path . (_) .)) @site
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#not-eq? @object "http")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_method)
  arguments: (argument_list . (_) @method . (_) @path . (_) .)) @site
  (#any-of? @_method "Method" "MethodFunc")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @_handle "Handle" "HandleFunc")
  (#not-match? @path "^.[A-Z]+ ")
  (#set! anyone "foreign")
  (#set! method "ANY"))

; whose handler has a name
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list . (_) [
    (identifier) @handler
    (selector_expression) @handler
    (call_expression arguments: (argument_list . [(identifier) (selector_expression)] @handler .))] .)) @site
  (#any-of? @_method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options" "Method" "MethodFunc" "Handle" "HandleFunc"))
