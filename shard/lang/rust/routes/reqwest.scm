; framework: reqwest   needs: "reqwest" "awc" "ureq" "surf::" "isahc" "hyper" "attohttpc"   emits: http.consumes

; reqwest::get(url), ureq::post(url), surf::get(url), minreq::get
((call_expression
  function: (scoped_identifier path: (_) @_crate name: (identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @_crate "reqwest" "reqwest::blocking" "blocking" "ureq" "surf" "isahc" "attohttpc")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head")
  (#set! anyone ""))

; client.get(url), self.http.post(url), Client::new().put(url)
((call_expression
  function: (field_expression value: (_) @_client field: (field_identifier) @method)
  arguments: (arguments . (_) @path .)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "head")
  (#match? @_client "(?i)(client|http|reqwest|agent|api|session)(\\(\\)|\\.(clone|inner)\\(\\))?$|Client::(new|default)\\(\\)$|\\.build\\(\\)(\\?|\\.unwrap\\(\\)|\\.expect\\([^)]*\\))?$")
  (#not-match? @_client "(?i)headers|params|redis|cache|conn|map|store")
  (#set! anyone ""))
; x.get(url).send(), x.post(url).json(&body), .bearer_auth(token): whatever x is
((call_expression
  function: (field_expression
    value: (call_expression
      function: (field_expression field: (field_identifier) @method)
      arguments: (arguments . (_) @path .)) @site
    field: (field_identifier) @_send))
  (#any-of? @method "get" "post" "put" "patch" "delete" "head")
  (#any-of? @_send "json" "bearer_auth" "basic_auth" "query" "form" "body" "header" "headers" "multipart" "timeout" "send_json" "send_form" "send_body" "insert_header")
  (#set! anyone ""))
((call_expression
  function: (field_expression
    value: (call_expression
      function: (field_expression field: (field_identifier) @method)
      arguments: (arguments . (_) @path .)) @site
    field: (field_identifier) @_send)
  arguments: (arguments) @_none)
  (#any-of? @method "get" "post" "put" "patch" "delete" "head")
  (#eq? @_send "send")
  (#eq? @_none "()")
  (#set! anyone ""))
; ureq::request("DELETE", url)
((call_expression
  function: (scoped_identifier path: (_) @_crate name: (identifier) @_request)
  arguments: (arguments . (_) @method . (_) @path .)) @site
  (#eq? @_crate "ureq")
  (#eq? @_request "request")
  (#set! anyone ""))
; client.request(Method::GET, url)
((call_expression
  function: (field_expression field: (field_identifier) @_request)
  arguments: (arguments . (_) @method . (_) @path .)) @site
  (#eq? @_request "request")
  (#set! anyone ""))

; hyper: Request::builder().method(Method::POST).uri(url), Request::get(url), client.get(uri)
((call_expression
  function: (field_expression value: (_) @_builder field: (field_identifier) @_uri)
  arguments: (arguments . (_) @path .)) @site
  (#eq? @_uri "uri")
  (#match? @_builder "Request::builder\\(\\)")
  (#not-match? @_builder "TestRequest")
  (#set! default "GET"))
((call_expression
  function: (field_expression
    value: (call_expression
      function: (field_expression value: (_) @_builder field: (field_identifier) @_method)
      arguments: (arguments . (_) @method .))
    field: (field_identifier) @_uri)) @site
  (#eq? @_uri "uri")
  (#eq? @_method "method")
  (#match? @_builder "Request::builder\\(\\)"))
((call_expression
  function: (field_expression
    value: (call_expression
      function: (field_expression value: (_) @_builder field: (field_identifier) @_uri)) @site
    field: (field_identifier) @_method)
  arguments: (arguments . (_) @method .))
  (#eq? @_uri "uri")
  (#eq? @_method "method")
  (#match? @_builder "Request::builder\\(\\)"))
((call_expression
  function: (scoped_identifier path: (identifier) @_request name: (identifier) @method)
  arguments: (arguments . (_) @path .)) @site
  (#eq? @_request "Request")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head")
  (#set! anyone ""))
