; framework: spring-graphql   needs: "QueryMapping" "MutationMapping" "SubscriptionMapping" "SchemaMapping"   emits: graphql.states

; each ROOT CAPITALS MAPPING
;   Query | QUERY | QueryMapping
;   Mutation | MUTATION | MutationMapping
;   Subscription | SUBSCRIPTION | SubscriptionMapping
; @QueryMapping fun users()
((function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_root)
    (constructor_invocation (user_type (type_identifier) @_root))]))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "$MAPPING")
  (#set! prefix "$ROOT")
  (#set! word ""))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (string_literal) @path)))))) @site
  (#eq? @_root "$MAPPING")
  (#set! prefix "$ROOT"))
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_key . (string_literal) @path)))))) @site
  (#eq? @_root "$MAPPING")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "$ROOT"))
; @SchemaMapping(typeName = "Query")
((function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_root)
    (value_arguments (value_argument . (simple_identifier) @_type . (_) @_of)))))
  (simple_identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"$ROOT\"$|(^|\\.)$CAPITALS\\.TYPE_NAME$")
  (#set! prefix "$ROOT")
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
  (#match? @_of "^\"$ROOT\"$|(^|\\.)$CAPITALS\\.TYPE_NAME$")
  (#set! prefix "$ROOT"))
; end
