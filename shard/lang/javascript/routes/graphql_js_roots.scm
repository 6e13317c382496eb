; framework: graphql-js   needs: "GraphQLSchema"   emits: graphql.roots

; new GraphQLSchema({ query: QueryType, mutation })
; each ROOT WORD
;   Query | query
;   Mutation | mutation
;   Subscription | subscription
((new_expression
  constructor: [(identifier) @_schema (member_expression property: (property_identifier) @_schema)]
  arguments: (arguments (object [
    (pair key: (property_identifier) @_key value: [(identifier) (member_expression)] @path)
    (shorthand_property_identifier) @_key @path] @site)))
  (#eq? @_schema "GraphQLSchema")
  (#eq? @_key "$WORD")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
