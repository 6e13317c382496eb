; framework: graphql-decorators   needs: "'@nestjs/graphql" "'type-graphql" "@nestjs/graphql'"   emits: graphql.states

; @Query(() => [User]) users() { }, { name: "users" }, @Query("users")
; each ROOT
;   Query
;   Mutation
;   Subscription
((class_body
  (decorator (call_expression function: (identifier) @_root)) @site
  . (decorator)* . (comment)* . (method_definition name: (_) @path @handler))
  (#eq? @_root "$ROOT")
  (#set! prefix "$ROOT")
  (#set! word ""))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments . (string) @path))) @site)
  (#eq? @_root "$ROOT")
  (#set! prefix "$ROOT"))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments
    (object (pair key: (property_identifier) @_name value: (_) @path))))) @site)
  (#eq? @_root "$ROOT")
  (#eq? @_name "name")
  (#set! prefix "$ROOT"))
; end
