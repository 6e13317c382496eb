; framework: graphql-decorators   needs: "'@nestjs/graphql" "'type-graphql" "@nestjs/graphql'"   emits: graphql.states

; @Query(() => [User]) users() { }, { name: "users" }, @Query("users")
((class_body
  (decorator (call_expression function: (identifier) @_root)) @site
  . (decorator)* . (comment)* . (method_definition name: (_) @path @handler))
  (#eq? @_root "Query")
  (#set! prefix "Query")
  (#set! word ""))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments . (string) @path))) @site)
  (#eq? @_root "Query")
  (#set! prefix "Query"))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments
    (object (pair key: (property_identifier) @_name value: (_) @path))))) @site)
  (#eq? @_root "Query")
  (#eq? @_name "name")
  (#set! prefix "Query"))
((class_body
  (decorator (call_expression function: (identifier) @_root)) @site
  . (decorator)* . (comment)* . (method_definition name: (_) @path @handler))
  (#eq? @_root "Mutation")
  (#set! prefix "Mutation")
  (#set! word ""))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments . (string) @path))) @site)
  (#eq? @_root "Mutation")
  (#set! prefix "Mutation"))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments
    (object (pair key: (property_identifier) @_name value: (_) @path))))) @site)
  (#eq? @_root "Mutation")
  (#eq? @_name "name")
  (#set! prefix "Mutation"))
((class_body
  (decorator (call_expression function: (identifier) @_root)) @site
  . (decorator)* . (comment)* . (method_definition name: (_) @path @handler))
  (#eq? @_root "Subscription")
  (#set! prefix "Subscription")
  (#set! word ""))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments . (string) @path))) @site)
  (#eq? @_root "Subscription")
  (#set! prefix "Subscription"))
((class_body
  (decorator (call_expression function: (identifier) @_root arguments: (arguments
    (object (pair key: (property_identifier) @_name value: (_) @path))))) @site)
  (#eq? @_root "Subscription")
  (#eq? @_name "name")
  (#set! prefix "Subscription"))
