; framework: sttp   needs: "sttp.client"   emits: http.consumes

; basicRequest.get(uri"$base/orders/$id"), quickRequest.method(Method.PUT, uri"..")
((call_expression
  function: (field_expression field: (identifier) @method)
  arguments: (arguments . [(interpolated_string_expression) (identifier) (field_expression) (infix_expression) (call_expression)] @path .)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#match? @site "^(basicRequest|quickRequest|emptyRequest|request|sttp)\\b|uri\"")
  (#set! absolute ""))
((call_expression
  function: (field_expression field: (identifier) @_method)
  arguments: (arguments . (_) @method . (_) @path .)) @site
  (#eq? @_method "method"))
