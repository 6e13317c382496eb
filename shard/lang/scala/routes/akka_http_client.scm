; framework: akka-http   needs: "HttpRequest(" "RequestBuilding"   also: "akka.http" "pekko.http"   emits: http.consumes

; HttpRequest(method = HttpMethods.POST, uri = s"$base/orders"), HttpRequest(HttpMethods.GET, s"$base/orders")
((call_expression
  function: (identifier) @_request
  arguments: (arguments (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#eq? @_request "HttpRequest")
  (#eq? @_key "uri")
  (#set! default "GET"))
((call_expression
  function: (identifier) @_request
  arguments: (arguments (assignment_expression left: (identifier) @_key right: (_) @method))) @site
  (#eq? @_request "HttpRequest")
  (#eq? @_key "method"))
((call_expression
  function: (identifier) @_request
  arguments: (arguments . [(identifier) (field_expression)] @method . [(identifier) (string) (infix_expression) (interpolated_string_expression) (call_expression)] @path)) @site
  (#eq? @_request "HttpRequest"))
; Get(s"$base/orders"), Post(s"$base/orders", order)
((call_expression
  function: (identifier) @method
  arguments: (arguments . [(identifier) (string) (infix_expression) (interpolated_string_expression)] @path)) @site
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head")
  (#set! absolute ""))
