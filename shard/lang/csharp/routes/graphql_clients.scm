; framework: graphql-client   needs: "GraphQLHttpClient"   emits: graphql.reaches

; new GraphQLHttpClient("http://users/graphql", …)
((object_creation_expression type: (identifier) @_make arguments: (argument_list . (argument (_) @path))) @site
  (#eq? @_make "GraphQLHttpClient")
  (#set! method "POST"))
