; framework: graphql-js   needs: "GraphQLSchema"   emits: graphql.roots

; new GraphQLSchema({ query: QueryType, mutation })
((new_expression
  constructor: [(identifier) @_schema (member_expression property: (property_identifier) @_schema)]
  arguments: (arguments (object [
    (pair key: (property_identifier) @_key value: [(identifier) (member_expression)] @path)
    (shorthand_property_identifier) @_key @path] @site)))
  (#eq? @_schema "GraphQLSchema")
  (#eq? @_key "query")
  (#set! prefix "Query")
  (#set! word ""))
((new_expression
  constructor: [(identifier) @_schema (member_expression property: (property_identifier) @_schema)]
  arguments: (arguments (object [
    (pair key: (property_identifier) @_key value: [(identifier) (member_expression)] @path)
    (shorthand_property_identifier) @_key @path] @site)))
  (#eq? @_schema "GraphQLSchema")
  (#eq? @_key "mutation")
  (#set! prefix "Mutation")
  (#set! word ""))
((new_expression
  constructor: [(identifier) @_schema (member_expression property: (property_identifier) @_schema)]
  arguments: (arguments (object [
    (pair key: (property_identifier) @_key value: [(identifier) (member_expression)] @path)
    (shorthand_property_identifier) @_key @path] @site)))
  (#eq? @_schema "GraphQLSchema")
  (#eq? @_key "subscription")
  (#set! prefix "Subscription")
  (#set! word ""))
