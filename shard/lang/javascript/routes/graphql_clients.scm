; framework: graphql-client   needs: "graphql" "apollo" "urql"   emits: graphql.reaches

; new ApolloClient({ uri }), new HttpLink({ uri }), createHttpLink({ uri }), createClient({ url })
((new_expression constructor: (identifier) @_make arguments: (arguments . (object) @options)) @site
  (#match? @_make "^(ApolloClient|HttpLink|BatchHttpLink|UploadHttpLink|Client|GraphQLWsLink)$")
  (#set! path "uri url")
  (#set! method "POST"))
((call_expression function: (identifier) @_make arguments: (arguments . (object) @options)) @site
  (#match? @_make "^(createHttpLink|createUploadLink|createClient|createBatchHttpLink|createNetworkInterface)$")
  (#set! path "uri url")
  (#set! method "POST"))
; new GraphQLClient(url), request(url, document)
((new_expression constructor: (identifier) @_make arguments: (arguments . (_) @path)) @site
  (#eq? @_make "GraphQLClient")
  (#set! method "POST"))
