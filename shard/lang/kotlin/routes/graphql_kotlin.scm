; framework: graphql-kotlin   needs: "expediagroup.graphql"   emits: graphql.states

; class Users : Query { fun users() }
; each ROOT
;   Query
;   Mutation
;   Subscription
((class_declaration
  (delegation_specifier (user_type (type_identifier) @_base))
  (class_body (function_declaration (simple_identifier) @path @handler) @site))
  (#eq? @_base "$ROOT")
  (#not-match? @site "^(private|internal|override) ")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
