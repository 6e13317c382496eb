; framework: graphql-ruby   needs: "GraphQL::Schema"   emits: graphql.roots

; class ShopSchema < GraphQL::Schema; query(Types::QueryType); mutation Types::MutationType
; each ROOT WORD
;   Query | query
;   Mutation | mutation
;   Subscription | subscription
((call !receiver method: (identifier) @_root arguments: (argument_list . [(constant) (scope_resolution)] @path .)) @site
  (#eq? @_root "$WORD")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
