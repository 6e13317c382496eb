; framework: azure-functions   needs: "HttpTrigger"   emits: http.provides

; [HttpTrigger(AuthorizationLevel.Function, "get", "post", Route = "users/{id}")]
((parameter (attribute_list (attribute
  name: (identifier) @_trigger
  (attribute_argument_list (attribute_argument . (string_literal) @method .))) @site))
  (#eq? @_trigger "HttpTrigger"))
((parameter (attribute_list (attribute
  name: (identifier) @_trigger
  (attribute_argument_list (attribute_argument name: (identifier) @_key (_) @path .))) @site))
  (#eq? @_trigger "HttpTrigger")
  (#eq? @_key "Route")
  (#not-eq? @path "null")
  (#set! prefix "/api/"))
; without a route its path is the function's name
((method_declaration
  (attribute_list (attribute
    name: (identifier) @_function
    (attribute_argument_list . (attribute_argument (invocation_expression
      function: (identifier) @_nameof
      arguments: (argument_list . (argument (identifier) @path) .))))))
  name: (identifier) @handler
  parameters: (parameter_list (parameter (attribute_list (attribute
    name: (identifier) @_trigger
    (attribute_argument_list) @_said) @site))))
  (#any-of? @_function "Function" "FunctionName")
  (#eq? @_nameof "nameof")
  (#eq? @_trigger "HttpTrigger")
  (#not-match? @_said "\\bRoute\\s*=\\s*(?!null)")
  (#set! word "")
  (#set! prefix "/api/"))
((method_declaration
  (attribute_list (attribute
    name: (identifier) @_function
    (attribute_argument_list . (attribute_argument [(string_literal) (identifier) (member_access_expression)]) @path)))
  name: (identifier) @handler
  parameters: (parameter_list (parameter (attribute_list (attribute
    name: (identifier) @_trigger
    (attribute_argument_list) @_said) @site))))
  (#any-of? @_function "Function" "FunctionName")
  (#eq? @_trigger "HttpTrigger")
  (#not-match? @_said "\\bRoute\\s*=\\s*(?!null)")
  (#set! prefix "/api/"))
