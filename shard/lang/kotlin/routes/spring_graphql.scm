; framework: spring-graphql   needs: "QueryMapping" "MutationMapping" "SubscriptionMapping" "SchemaMapping"   emits: graphql.states

; @QueryMapping fun users()
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "QueryMapping")
  (#set! prefix "Query")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (string_literal) @path)))))) @site
  (#eq? @_root "QueryMapping")
  (#set! prefix "Query"))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "QueryMapping")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Query"))
; @SchemaMapping(typeName = "Query")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"Query\"$|(^|\\.)QUERY\\.TYPE_NAME$")
  (#set! prefix "Query")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments
      (value_argument . (simple_identifier) @_type . (_) @_of)
      (value_argument . (simple_identifier) @_field . (string_literal) @path)))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"Query\"$|(^|\\.)QUERY\\.TYPE_NAME$")
  (#set! prefix "Query"))
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "MutationMapping")
  (#set! prefix "Mutation")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (string_literal) @path)))))) @site
  (#eq? @_root "MutationMapping")
  (#set! prefix "Mutation"))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "MutationMapping")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Mutation"))
; @SchemaMapping(typeName = "Mutation")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"Mutation\"$|(^|\\.)MUTATION\\.TYPE_NAME$")
  (#set! prefix "Mutation")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments
      (value_argument . (simple_identifier) @_type . (_) @_of)
      (value_argument . (simple_identifier) @_field . (string_literal) @path)))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"Mutation\"$|(^|\\.)MUTATION\\.TYPE_NAME$")
  (#set! prefix "Mutation"))
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "SubscriptionMapping")
  (#set! prefix "Subscription")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (string_literal) @path)))))) @site
  (#eq? @_root "SubscriptionMapping")
  (#set! prefix "Subscription"))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "SubscriptionMapping")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Subscription"))
; @SchemaMapping(typeName = "Subscription")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"Subscription\"$|(^|\\.)SUBSCRIPTION\\.TYPE_NAME$")
  (#set! prefix "Subscription")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments
      (value_argument . (simple_identifier) @_type . (_) @_of)
      (value_argument . (simple_identifier) @_field . (string_literal) @path)))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"Subscription\"$|(^|\\.)SUBSCRIPTION\\.TYPE_NAME$")
  (#set! prefix "Subscription"))
