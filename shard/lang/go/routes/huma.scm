; framework: huma   needs: "danielgtaylor/huma"   emits: http.provides

; huma.NewGroup(api, "/v1")
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_group)
  arguments: (argument_list . (_) @object . (_) @prefix)) @instance
  (#eq? @_package "huma")
  (#eq? @_group "NewGroup"))

; huma.Register(api, huma.Operation{Method: "GET", Path: "/users/{id}"}, handler)
; each KEY ROLE
;   Method | method
;   Path | path
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_register)
  arguments: (argument_list . (_) @object . (composite_literal body: (literal_value
    (keyed_element (literal_element (identifier) @_key) (literal_element (_) @$ROLE)))))) @site
  (#eq? @_package "huma")
  (#eq? @_register "Register")
  (#eq? @_key "$KEY")
  (#set! anyone ""))
; end

; huma.Get(api, "/users/{id}", handler)
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @method)
  arguments: (argument_list . (_) @object . (_) @path . (_))) @site
  (#eq? @_package "huma")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#set! anyone ""))

; whose handler has a name
((call_expression
  function: (selector_expression operand: (identifier) @_package)
  arguments: (argument_list . (_) . (_) . [(identifier) (selector_expression)] @handler)) @site
  (#eq? @_package "huma"))
