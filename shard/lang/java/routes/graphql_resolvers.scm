; framework: graphql-java   needs: "GraphQLQueryResolver" "GraphQLMutationResolver" "GraphQLSubscriptionResolver" "newTypeWiring"   emits: graphql.resolves

; class Users implements GraphQLQueryResolver { users() getUser(id) }
; each ROOT
;   Query
;   Mutation
;   Subscription
((class_declaration
  interfaces: (super_interfaces (type_list (type_identifier) @_resolver))
  body: (class_body (method_declaration name: (identifier) @path @handler) @site))
  (#eq? @_resolver "GraphQL$ROOTResolver")
  (#set! prefix "$ROOT")
  (#set! word ""))
; newTypeWiring("Query").dataFetcher("users", …), the first two of a chain
((method_invocation
  object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"$ROOT\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "$ROOT"))
((method_invocation
  object: (method_invocation
    object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of)))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"$ROOT\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "$ROOT"))
; end
