; framework: resttemplate   needs: "RestTemplate" "restTemplate" "RestOperations" "RequestEntity"   emits: http.consumes

; What is a RestTemplate: fields, variables, parameters of that type, methods that give one.
((object_creation_expression type: (_) @_type) @instance (#eq? @_type "RestTemplate"))
(field_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "RestTemplate" "RestOperations" "OAuth2RestTemplate" "OAuth2RestOperations" "AsyncRestTemplate"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind)
  (#any-of? @_type "RestTemplate" "RestOperations" "OAuth2RestTemplate" "OAuth2RestOperations" "AsyncRestTemplate"))
(formal_parameter type: (_) @_type name: (identifier) @bind
  (#any-of? @_type "RestTemplate" "RestOperations" "OAuth2RestTemplate" "OAuth2RestOperations" "AsyncRestTemplate"))

(class_declaration name: (identifier) @bind superclass: (superclass (_) @_base)
  (#any-of? @_base "RestTemplate" "OAuth2RestTemplate" "AsyncRestTemplate")
  (#set! typed ""))

; Names that nothing else has.
((method_invocation
  object: (_) @object @service
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "getForObject" "getForEntity" "postForObject" "postForEntity" "postForLocation" "patchForObject"
    "headForHeaders" "optionsForAllow")
  (#not-match? @object "^(?i:.*test.*)$")
  (#set! anyone ""))
((method_invocation
  object: (_) @object @service
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "put" "delete"))
((method_invocation
  object: (_) @object @service
  name: (identifier) @_call
  arguments: (argument_list . (_) @path . [(field_access) (identifier) (method_invocation)] @method . (_) . (_))) @site
  (#any-of? @_call "exchange" "execute"))

; A RestTemplate of another file, by its name.
((method_invocation
  object: (_) @object @service
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "put" "delete")
  (#match? @object "^(this\\.)?(\\w*[rR]estTemplate|getRestTemplate\\(\\)|restTemplate\\(\\))$")
  (#not-match? @object "[tT]est[A-Z]")
  (#set! anyone ""))
((method_invocation
  object: (_) @object @service
  name: (identifier) @_call
  arguments: (argument_list . (_) @path . [(field_access) (identifier) (method_invocation)] @method . (_) . (_))) @site
  (#any-of? @_call "exchange" "execute")
  (#match? @object "^(this\\.)?(\\w*[rR]estTemplate|getRestTemplate\\(\\)|restTemplate\\(\\))$")
  (#not-match? @object "[tT]est[A-Z]")
  (#set! anyone ""))

; RequestEntity.get(url), RequestEntity.method(HttpMethod.X, url), new RequestEntity<>(body, HttpMethod.X, url)
((method_invocation
  object: (identifier) @_type
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_type "RequestEntity")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((method_invocation
  object: (identifier) @_type
  name: (identifier) @_call
  arguments: (argument_list . (_) @method . (_) @path)) @site
  (#eq? @_type "RequestEntity")
  (#eq? @_call "method"))
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list (field_access object: (identifier) @_verbs) @method . (_) @path .)) @site
  (#match? @_type "^RequestEntity\\b")
  (#eq? @_verbs "HttpMethod"))

; @Bean RestTemplate users(RestTemplateBuilder b) { return b.rootUri(url).build(); }: the service of what is called `users`
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_bean) (annotation name: (identifier) @_bean)])
  type: (_) @_type
  name: (identifier) @class
  body: (block (return_statement (_) @service) .))
  (#eq? @_bean "Bean")
  (#any-of? @_type "RestTemplate" "RestOperations"))

; of all, if there is no other
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_bean) (annotation name: (identifier) @_bean)])
  type: (_) @_type
  name: (identifier)
  body: (block (return_statement (_) @prefix) .))
  (#eq? @_bean "Bean")
  (#any-of? @_type "RestTemplate" "RestOperations")
  (#set! global "")
  (#set! only ""))
