; framework: graphql-java   needs: "GraphQLQueryResolver" "GraphQLMutationResolver" "GraphQLSubscriptionResolver" "newTypeWiring"   emits: graphql.resolves

; class Users implements GraphQLQueryResolver { users() getUser(id) }
((class_declaration
  interfaces: (super_interfaces (type_list (type_identifier) @_resolver))
  body: (class_body (method_declaration name: (identifier) @path @handler) @site))
  (#eq? @_resolver "GraphQLQueryResolver")
  (#set! prefix "Query")
  (#set! word ""))
; newTypeWiring("Query").dataFetcher("users", …), the first two of a chain
((method_invocation
  object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"Query\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "Query"))
((method_invocation
  object: (method_invocation
    object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of)))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"Query\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "Query"))
((class_declaration
  interfaces: (super_interfaces (type_list (type_identifier) @_resolver))
  body: (class_body (method_declaration name: (identifier) @path @handler) @site))
  (#eq? @_resolver "GraphQLMutationResolver")
  (#set! prefix "Mutation")
  (#set! word ""))
; newTypeWiring("Mutation").dataFetcher("users", …), the first two of a chain
((method_invocation
  object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"Mutation\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "Mutation"))
((method_invocation
  object: (method_invocation
    object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of)))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"Mutation\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "Mutation"))
((class_declaration
  interfaces: (super_interfaces (type_list (type_identifier) @_resolver))
  body: (class_body (method_declaration name: (identifier) @path @handler) @site))
  (#eq? @_resolver "GraphQLSubscriptionResolver")
  (#set! prefix "Subscription")
  (#set! word ""))
; newTypeWiring("Subscription").dataFetcher("users", …), the first two of a chain
((method_invocation
  object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"Subscription\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "Subscription"))
((method_invocation
  object: (method_invocation
    object: (method_invocation name: (identifier) @_wiring arguments: (argument_list . (string_literal) @_of)))
  name: (identifier) @_fetch arguments: (argument_list . (string_literal) @path)) @site
  (#eq? @_wiring "newTypeWiring")
  (#eq? @_of "\"Subscription\"")
  (#eq? @_fetch "dataFetcher")
  (#set! prefix "Subscription"))
