; framework: http-client   needs: "HttpRequest" "HttpURLConnection" "HttpsURLConnection" ".openStream"   emits: http.consumes

; Java's own: HttpRequest.newBuilder(uri).POST(body), newBuilder().uri(uri), in any order
((method_invocation
  object: (identifier) @_type
  name: (identifier) @_new
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_type "HttpRequest")
  (#eq? @_new "newBuilder")
  (#set! default "GET"))
((method_invocation
  object: (_) @site
  name: (identifier) @_uri
  arguments: (argument_list . (_) @path .))
  (#eq? @_uri "uri")
  (#set! chain "HttpRequest.newBuilder")
  (#set! default "GET"))
((method_invocation object: (_) @site name: (identifier) @method)
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "HEAD")
  (#set! chain "HttpRequest.newBuilder"))
((method_invocation
  object: (_) @site
  name: (identifier) @_method
  arguments: (argument_list . (_) @method))
  (#eq? @_method "method")
  (#set! chain "HttpRequest.newBuilder"))

; url.openConnection(), new URL(x).openStream(); the verb is said later in the same block
((method_invocation object: (_) @path name: (identifier) @_open) @site
  (#eq? @_open "openConnection")
  (#match? @path "(?i)ur[il]")
  (#set! default "GET"))
((method_invocation object: (_) @path name: (identifier) @_open) @site
  (#eq? @_open "openStream")
  (#match? @path "^\\(?new URL\\(.*[/A-Z]")
  (#set! default "GET"))
((block
  (_ [
    (variable_declarator
      name: (identifier) @_connection
      value: [
        (method_invocation name: (identifier) @_open) @site
        (cast_expression value: (method_invocation name: (identifier) @_open) @site)])
    (assignment_expression
      left: (identifier) @_connection
      right: [
        (method_invocation name: (identifier) @_open) @site
        (cast_expression value: (method_invocation name: (identifier) @_open) @site)])])
  (expression_statement (method_invocation
    object: (identifier) @_used
    name: (identifier) @_set
    arguments: (argument_list (_) @method))))
  (#eq? @_open "openConnection")
  (#eq? @_set "setRequestMethod")
  (#eq? @_used @_connection))
