; framework: graphql-client   needs: "GraphQL::Client::HTTP"   emits: graphql.reaches

; GraphQL::Client::HTTP.new(url)
((call
  receiver: (scope_resolution) @_http
  method: (identifier) @_new
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_http "GraphQL::Client::HTTP")
  (#eq? @_new "new")
  (#set! method "POST"))
