; framework: graphql-client   needs: "apollographql" "dgs.client"   emits: graphql.reaches

; ApolloClient.builder().serverUrl(url)
((method_invocation name: (identifier) @_url arguments: (argument_list . (_) @path)) @site
  (#eq? @_url "serverUrl")
  (#set! method "POST"))
