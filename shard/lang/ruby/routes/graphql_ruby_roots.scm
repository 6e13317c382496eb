; framework: graphql-ruby   needs: "GraphQL::Schema"   emits: graphql.roots

; class ShopSchema < GraphQL::Schema; query(Types::QueryType); mutation Types::MutationType
((call !receiver method: (identifier) @_root arguments: (argument_list . [(constant) (scope_resolution)] @path .)) @site
  (#eq? @_root "query")
  (#set! prefix "Query")
  (#set! word ""))
((call !receiver method: (identifier) @_root arguments: (argument_list . [(constant) (scope_resolution)] @path .)) @site
  (#eq? @_root "mutation")
  (#set! prefix "Mutation")
  (#set! word ""))
((call !receiver method: (identifier) @_root arguments: (argument_list . [(constant) (scope_resolution)] @path .)) @site
  (#eq? @_root "subscription")
  (#set! prefix "Subscription")
  (#set! word ""))
