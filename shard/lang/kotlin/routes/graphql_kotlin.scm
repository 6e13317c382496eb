; framework: graphql-kotlin   needs: "expediagroup.graphql"   emits: graphql.states

; class Users : Query { fun users() }
((class_declaration
  (delegation_specifier (user_type (type_identifier) @_base))
  (class_body (function_declaration (simple_identifier) @path @handler) @site))
  (#eq? @_base "Query")
  (#not-match? @site "^(private|internal|override) ")
  (#set! prefix "Query")
  (#set! word ""))
((class_declaration
  (delegation_specifier (user_type (type_identifier) @_base))
  (class_body (function_declaration (simple_identifier) @path @handler) @site))
  (#eq? @_base "Mutation")
  (#not-match? @site "^(private|internal|override) ")
  (#set! prefix "Mutation")
  (#set! word ""))
((class_declaration
  (delegation_specifier (user_type (type_identifier) @_base))
  (class_body (function_declaration (simple_identifier) @path @handler) @site))
  (#eq? @_base "Subscription")
  (#not-match? @site "^(private|internal|override) ")
  (#set! prefix "Subscription")
  (#set! word ""))
