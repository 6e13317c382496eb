; framework: macaron   needs: "macaron" "flamego/flamego"   emits: http.provides

; m.Group("/users", func() { m.Get("/:id", user) }, middleware)
((call_expression
  function: (selector_expression field: (field_identifier) @_group)
  arguments: (argument_list . (_) @prefix . (func_literal body: (_) @scope)))
  (#eq? @_group "Group"))

; m.Get("/:id", handler, handler)
((call_expression
  function: (selector_expression operand: (identifier) @object field: (field_identifier) @method)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (binary_expression)] @path . (_))) @site
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options" "Any")
  (#not-any-of? @object "c" "ctx" "http")
  (#set! called "")
  (#set! anyone "foreign"))

; m.Combo("/:id").Get(one).Post(change)
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression operand: (identifier) @object field: (field_identifier) @_combo)
      arguments: (argument_list . (_) @path))
    field: (field_identifier) @method)) @site
  (#eq? @_combo "Combo")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch")
  (#set! called "")
  (#set! anyone "foreign"))
((call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression
        operand: (call_expression
          function: (selector_expression operand: (identifier) @object field: (field_identifier) @_combo)
          arguments: (argument_list . (_) @path))))
    field: (field_identifier) @method)) @site
  (#eq? @_combo "Combo")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch")
  (#set! called "")
  (#set! anyone "foreign"))

; whose handler has a name
((call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list [(identifier) (selector_expression)] @handler .)) @site
  (#any-of? @_method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options" "Any"))
