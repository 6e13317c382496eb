; framework: dgs   needs: "DgsQuery" "DgsMutation" "DgsSubscription" "DgsData"   emits: graphql.states

; @DgsQuery(field = "users")
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsQuery")
  (#set! prefix "Query")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "DgsQuery")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Query"))
; @DgsData(parentType = "Query", field = "users")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"Query\"$|(^|\\.)QUERY\\.TYPE_NAME$")
  (#set! prefix "Query")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments
      (value_argument . (simple_identifier) @_type . (_) @_of)
      (value_argument . (simple_identifier) @_field . (string_literal) @path)))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"Query\"$|(^|\\.)QUERY\\.TYPE_NAME$")
  (#set! prefix "Query"))
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsMutation")
  (#set! prefix "Mutation")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "DgsMutation")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Mutation"))
; @DgsData(parentType = "Mutation", field = "users")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"Mutation\"$|(^|\\.)MUTATION\\.TYPE_NAME$")
  (#set! prefix "Mutation")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments
      (value_argument . (simple_identifier) @_type . (_) @_of)
      (value_argument . (simple_identifier) @_field . (string_literal) @path)))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"Mutation\"$|(^|\\.)MUTATION\\.TYPE_NAME$")
  (#set! prefix "Mutation"))
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsSubscription")
  (#set! prefix "Subscription")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "DgsSubscription")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Subscription"))
; @DgsData(parentType = "Subscription", field = "users")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"Subscription\"$|(^|\\.)SUBSCRIPTION\\.TYPE_NAME$")
  (#set! prefix "Subscription")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments
      (value_argument . (simple_identifier) @_type . (_) @_of)
      (value_argument . (simple_identifier) @_field . (string_literal) @path)))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"Subscription\"$|(^|\\.)SUBSCRIPTION\\.TYPE_NAME$")
  (#set! prefix "Subscription"))
