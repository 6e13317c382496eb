; framework: graphql-resolvers   needs: "Query" "Mutation" "Subscription" "rootValue"   unless: "'rxjs" "/Subscription'" "'@tanstack/" "'react-query" "'@apollo/client" "'apollo-client'" "apollo-link-state"   emits: graphql.resolves

; { Query: { users: … }, Mutation: mutations, RootQuery: { … } }
((pair key: [(property_identifier) (string)] @class value: (_) @options) @site
  (#match? @class "^['\"]?([A-Z]\\w*)?(Query|Mutation|Subscription)(Type)?['\"]?$"))
; { Query, Mutation }
((shorthand_property_identifier) @class @options @site
  (#match? @class "^([A-Z]\\w*)?(Query|Mutation|Subscription)(Type)?$"))
; resolvers.Query = { … }
((assignment_expression
  left: (member_expression property: (property_identifier) @class)
  right: (_) @options) @site
  (#any-of? @class "Query" "Mutation" "Subscription"))
; resolvers.Query.users = …, Query.users = …
((assignment_expression
  left: (member_expression
    object: [(identifier) @class (member_expression property: (property_identifier) @class)]
    property: (property_identifier) @path)) @site
  (#any-of? @class "Query" "Mutation" "Subscription")
  (#set! word ""))
; graphqlHTTP({ schema, rootValue: root })
((pair key: (property_identifier) @_key value: (_) @options) @site
  (#eq? @_key "rootValue")
  (#set! prefix "*"))
