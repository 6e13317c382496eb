; framework: resttemplate   needs: "RestTemplate" "RestOperations"   emits: http.consumes

; What is a RestTemplate: fields, variables and parameters of that type.
(variable_declarator name: (identifier) @bind value: (object_creation_expression type: (_) @_type)
  (#match? @_type "^(TestRestTemplate|RestTemplate)$"))
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "RestTemplate" "RestOperations"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "RestTemplate" "RestOperations"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#any-of? @_type "RestTemplate" "RestOperations"))

((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "getForObject" "getForEntity")
  (#set! method "GET"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "postForObject" "postForEntity" "postForLocation")
  (#set! method "POST"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "put")
  (#set! method "PUT"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "delete")
  (#set! method "DELETE"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "patchForObject")
  (#set! method "PATCH"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "headForHeaders")
  (#set! method "HEAD"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_call "optionsForAllow")
  (#set! method "OPTIONS"))
((method_invocation
  object: (_) @object
  name: (identifier) @_call
  arguments: (argument_list . (_) @path . (_) @method)) @site
  (#any-of? @_call "exchange" "execute"))
