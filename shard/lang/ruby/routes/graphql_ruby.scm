; framework: graphql-ruby   needs: "field :"   emits: graphql.defines

; class QueryType < BaseObject; field :all_users, [UserType]; field :create_user, mutation: CreateUser
((class
  name: [(constant) (scope_resolution)] @class
  body: (body_statement (call !receiver method: (identifier) @_field arguments: (argument_list . (simple_symbol) @path)) @site))
  (#match? @class "Query|Mutation|Subscription")
  (#eq? @_field "field")
  (#set! word "")
  (#set! style "camel"))
((class
  body: (body_statement (call !receiver method: (identifier) @_field arguments: (argument_list
    (pair key: (hash_key_symbol) @_key value: [(constant) (scope_resolution)] @handler))) @site))
  (#eq? @_field "field")
  (#any-of? @_key "mutation" "resolver" "subscription"))
