; framework: graphql-client   needs: "HTTPTransport" "sgqlc"   emits: graphql.reaches

; RequestsHTTPTransport(url=…), HTTPEndpoint(url)
((call
  function: [(identifier) @_make (attribute attribute: (identifier) @_make)]
  arguments: (argument_list [(keyword_argument name: (identifier) @_key value: (_) @path) (_) @path])) @site
  (#match? @_make "HTTPX?(Async)?Transport$|HTTPEndpoint$|RequestsEndpoint$")
  (#not-match? @path "^\\w+\\s*=[^=]")
  (#set! method "POST"))
