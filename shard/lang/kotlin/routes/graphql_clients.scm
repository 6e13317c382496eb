; framework: graphql-client   needs: "apollographql"   emits: graphql.reaches

; ApolloClient.Builder().serverUrl(url)
((call_expression
  (navigation_expression (_) (navigation_suffix (simple_identifier) @_url))
  (call_suffix (value_arguments . (value_argument . (_) @path)))) @site
  (#eq? @_url "serverUrl")
  (#set! method "POST"))
