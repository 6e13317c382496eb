; framework: azure-functions   needs: "HttpTrigger"   emits: http.provides

; [HttpTrigger(AuthorizationLevel.Function, "get", "post", Route = "users/{id}")]
((parameter (attribute_list (attribute
  name: (identifier) @_trigger
  (attribute_argument_list (attribute_argument . (string_literal) @method .))) @site))
  (#eq? @_trigger "HttpTrigger"))
((parameter (attribute_list (attribute
  name: (identifier) @_trigger
  (attribute_argument_list (attribute_argument name: (identifier) @_key (string_literal) @path))) @site))
  (#eq? @_trigger "HttpTrigger")
  (#eq? @_key "Route")
  (#set! prefix "/api/"))
((method_declaration
  (attribute_list (attribute
    name: (identifier) @_function
    (attribute_argument_list . (attribute_argument) @path)))
  name: (identifier) @handler
  parameters: (parameter_list (parameter (attribute_list (attribute
    name: (identifier) @_trigger
    (attribute_argument_list) @_said) @site))))
  (#any-of? @_function "Function" "FunctionName")
  (#eq? @_trigger "HttpTrigger")
  (#not-match? @_said "\\bRoute\\s*=\\s*[\"$@]")
  (#set! prefix "/api/"))
