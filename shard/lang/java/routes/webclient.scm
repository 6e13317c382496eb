; framework: webclient   needs: "WebClient" "webClient" "RestClient" "restClient"   emits: http.consumes

; client.get().uri("/x/{id}", id), client.method(HttpMethod.GET).uri(b -> b.path("/x").build())
((method_invocation
  object: (method_invocation object: (_) @service name: (identifier) @method arguments: (argument_list))
  name: (identifier) @_uri
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_uri "uri")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#not-match? @service "(?i)test|mock|\\b(path|host|and|method|predicate)\\s*\\("))
((method_invocation
  object: (method_invocation
    object: (_) @service
    name: (identifier) @_method
    arguments: (argument_list . (_) @method .))
  name: (identifier) @_uri
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_uri "uri")
  (#eq? @_method "method")
  (#not-match? @service "(?i)test|mock|\\b(path|host|and|method|predicate)\\s*\\("))
; client.get().retrieve(): the base alone
((method_invocation
  object: (method_invocation object: (_) @service name: (identifier) @method arguments: (argument_list))
  name: (identifier) @_call) @site
  (#any-of? @_call "retrieve" "exchange" "exchangeToMono" "exchangeToFlux")
  (#any-of? @method "get" "delete" "head")
  (#not-match? @service "(?i)test|mock|\\b(path|host|and|method|predicate)\\s*\\(")
  (#set! bare ""))

; @Bean WebClient users(..) { return ..; }: the service of what is called `users`
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_bean) (annotation name: (identifier) @_bean)])
  type: (_) @_type
  name: (identifier) @class
  body: (block (return_statement (_) @service) .))
  (#eq? @_bean "Bean")
  (#any-of? @_type "WebClient" "RestClient"))
; of all, if there is no other
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_bean) (annotation name: (identifier) @_bean)])
  type: (_) @_type
  name: (identifier)
  body: (block (return_statement (_) @prefix) .))
  (#eq? @_bean "Bean")
  (#any-of? @_type "WebClient" "RestClient")
  (#set! global "")
  (#set! only ""))
