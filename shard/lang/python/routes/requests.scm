; framework: requests   needs: "requests" "niquests"   emits: http.consumes

; Sessions, and the package itself.
(assignment
  left: [(identifier) (attribute)] @bind
  right: (_) @_make
  (#match? @_make "\\b(requests\\.[sS]ession|Session|BaseUrlSession|CacheControl|CachedSession)\\("))
((call function: (attribute) @_make) @instance (#match? @_make "^requests\\.[sS]ession$"))
(as_pattern
  (call function: [(identifier) (attribute)] @_make)
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^(requests\\.[sS]ession|Session)$"))
(typed_parameter . (identifier) @bind type: (type) @_type (#match? @_type "\\brequests\\.(sessions\\.)?Session\\b|^\\W*Session\\b"))
(typed_default_parameter name: (identifier) @bind type: (type) @_type
  (#match? @_type "\\brequests\\.(sessions\\.)?Session\\b"))
(class_definition name: (identifier) @bind superclasses: (argument_list [(identifier) (attribute)] @_base)
  (#match? @_base "^(requests\\.)?(sessions\\.)?([sS]ession|BaseUrlSession|CachedSession)$")
  (#set! typed ""))
(import_statement (dotted_name (identifier) @bind) (#match? @bind "^(requests|niquests|grequests)$"))
(import_statement (aliased_import name: (dotted_name) @_name alias: (identifier) @bind) (#match? @_name "^(requests|niquests|grequests)$"))
(import_from_statement name: (dotted_name . (identifier) @bind .) (#eq? @bind "requests"))

((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call) (subscript) (parenthesized_expression) (conditional_expression)] @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call) (subscript) (parenthesized_expression)] @path)) @site
  (#any-of? @_request "request" "Request"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#eq? @_request "request")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#any-of? @_request "request" "Request")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list (keyword_argument name: (identifier) @_method value: (_) @method))) @site
  (#any-of? @_request "request" "Request")
  (#eq? @_method "method"))

((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . (dictionary_splat (_) @options))) @site
  (#any-of? @_request "request" "Request")
  (#set! path "url")
  (#set! verb "method"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method . (dictionary_splat (_) @options))) @site
  (#any-of? @_request "request" "Request")
  (#set! path "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list . (dictionary_splat (_) @options))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! path "url"))

; send(requests.post, url), getattr(session, verb)(url): a method as a value
((call
  function: [(identifier) (call) (subscript)] @object
  arguments: (argument_list . (_) @path)) @site
  (#set! passed ""))
((call
  function: (attribute object: (identifier) @_self) @object
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_self "self")
  (#set! passed ""))
((call
  function: [(identifier) (attribute object: (identifier) @_self)] @object
  arguments: (argument_list . (_) @method . (_) @path)) @site
  (#set! passed "request"))

; requests.Session().get(url)
((call
  function: (attribute object: (call function: (attribute) @_make) attribute: (identifier) @method)
  arguments: (argument_list . (_) @path)) @site
  (#match? @_make "^requests\\.[sS]ession$")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! anyone ""))

; BaseUrlSession(base_url=...)
((call function: [(identifier) (attribute)] @_make arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "BaseUrlSession$")
  (#eq? @_key "base_url"))
