; framework: urllib   needs: "urlopen" "Request(" "urllib3" "HTTPConnection" "HTTPSConnection"   emits: http.consumes

; from urllib.request import urlopen, Request
(import_from_statement module_name: (dotted_name) @_module name: (dotted_name . (identifier) @bind .)
  (#match? @_module "urllib"))

; urlopen(url), Request(url, data=..., method="PUT"); what urlopen does with a Request says no more.
((call
  function: [(identifier) @object @_open (attribute) @_open]
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call)] @path)) @site
  (#match? @_open "^(urllib2?\\.)?(request\\.)?urlopen$")
  (#not-match? @path "(^|[._])req(uest)?$|\\bRequest\\(")
  (#set! default "GET"))
((call
  function: [(identifier) @object @_open (attribute) @_open]
  arguments: (argument_list (keyword_argument name: (identifier) @_data)))  @site
  (#match? @_open "^(urllib2?\\.)?(request\\.)?(urlopen|Request)$")
  (#eq? @_data "data")
  (#set! default "POST"))
((call
  function: [(identifier) @object @_request (attribute) @_request]
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call)] @path) @_arguments) @site
  (#match? @_request "^(urllib2?\\.)?(request\\.)?Request$")
  (#not-match? @_arguments "\\bdata\\s*=")
  (#set! default "GET"))
((call
  function: [(identifier) @object @_request (attribute) @_request]
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call)] @path) @_arguments) @site
  (#match? @_request "^(urllib2?\\.)?(request\\.)?Request$")
  (#match? @_arguments "\\bdata\\s*=")
  (#set! default "POST"))
((call
  function: [(identifier) @object @_request (attribute) @_request]
  arguments: (argument_list (keyword_argument name: (identifier) @_method value: (_) @method))) @site
  (#match? @_request "^(urllib2?\\.)?(request\\.)?Request$")
  (#eq? @_method "method"))

; urllib3: PoolManager().request("GET", url); http.client: HTTPConnection(host).request("GET", path)
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "\\b((Pool|Proxy)Manager|HTTPS?Connection(Pool)?)$"))
((call function: [(identifier) (attribute)] @_make arguments: (argument_list . (_) @prefix)) @instance
  (#match? @_make "\\bHTTPS?Connection(Pool)?$")
  (#set! prefix "http://"))
(import_statement (dotted_name (identifier) @bind) (#eq? @bind "urllib3"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . (_) @method . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call) (subscript)] @path)) @site
  (#any-of? @_request "request" "urlopen" "request_encode_body" "request_encode_url" "putrequest"))
