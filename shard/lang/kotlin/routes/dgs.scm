; framework: dgs   needs: "DgsQuery" "DgsMutation" "DgsSubscription" "DgsData"   emits: graphql.states

; each ROOT CAPITALS
;   Query | QUERY
;   Mutation | MUTATION
;   Subscription | SUBSCRIPTION
; @DgsQuery(field = "users")
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "Dgs$ROOT")
  (#set! prefix "$ROOT")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "Dgs$ROOT")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "$ROOT"))
; @DgsData(parentType = "Query", field = "users")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"$ROOT\"$|(^|\\.)$CAPITALS\\.TYPE_NAME$")
  (#set! prefix "$ROOT")
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
  (#match? @_of "^\"$ROOT\"$|(^|\\.)$CAPITALS\\.TYPE_NAME$")
  (#set! prefix "$ROOT"))
; end
