; framework: http4s   needs: "org.http4s.client" "http4s.Request" "Client[IO]" "Client[F]"   emits: http.consumes

; clients, which are of that type
((class_parameter name: (identifier) @bind type: (generic_type type: (type_identifier) @_type))
  (#eq? @_type "Client"))
((parameter name: (identifier) @bind type: (generic_type type: (type_identifier) @_type))
  (#eq? @_type "Client"))
; client.expect[Order](base / "orders" / id), client.expect(uri"http://orders/orders")
((call_expression
  function: [(generic_function function: (field_expression value: (_) @object field: (identifier) @_expect))
    (field_expression value: (_) @object field: (identifier) @_expect)]
  arguments: (arguments . [(infix_expression) (interpolated_string_expression) (string) (identifier)] @path .)) @site
  (#any-of? @_expect "expect" "expectOption" "expectOr" "get" "status")
  (#set! method "GET"))
; Request[IO](Method.POST, uri), Request[IO](method = Method.POST, uri = base / "orders")
((call_expression
  function: (generic_function function: (identifier) @_request)
  arguments: (arguments . [(identifier) (field_expression)] @method . [(identifier) (field_expression) (infix_expression) (interpolated_string_expression) (call_expression)] @path)) @site
  (#eq? @_request "Request"))
((call_expression
  function: (generic_function function: (identifier) @_request)
  arguments: (arguments (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#eq? @_request "Request")
  (#eq? @_key "uri")
  (#set! default "GET"))
((call_expression
  function: (generic_function function: (identifier) @_request)
  arguments: (arguments (assignment_expression left: (identifier) @_key right: (_) @method))) @site
  (#eq? @_request "Request")
  (#eq? @_key "method"))
; GET(base / "orders"), POST(order, base / "orders")
((call_expression
  function: (identifier) @method
  arguments: (arguments [(infix_expression) (interpolated_string_expression) (identifier)] @path .)) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH"))
