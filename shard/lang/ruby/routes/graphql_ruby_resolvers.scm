; framework: graphql-ruby   needs: "field :"   emits: graphql.resolves

; def all_users: the place of the field
((class
  name: [(constant) (scope_resolution)] @class
  body: (body_statement (method name: (identifier) @path @handler) @site))
  (#match? @class "Query|Mutation|Subscription")
  (#set! word "")
  (#set! style "camel"))
