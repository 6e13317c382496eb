; framework: httpx   needs: "httpx"   emits: http.consumes

; Clients, but those of an application in this process, and the package itself.
(assignment
  left: [(identifier) (attribute)] @bind
  right: (_) @_make
  (#match? @_make "\\b(httpx\\.)?(Async)?Client\\(")
  (#not-match? @_make "\\b(app|transport)\\s*="))
(as_pattern
  (call function: [(identifier) (attribute)] @_make arguments: (_) @_arguments)
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^(httpx\\.)?(Async)?Client$")
  (#not-match? @_arguments "\\b(app|transport)\\s*="))
(typed_parameter . (identifier) @bind type: (type) @_type (#match? @_type "\\b(httpx\\.(Async)?|Async)Client\\b"))
(typed_default_parameter name: (identifier) @bind type: (type) @_type (#match? @_type "\\b(httpx\\.(Async)?|Async)Client\\b"))
(assignment left: [(identifier) (attribute)] @bind type: (type) @_type (#match? @_type "\\b(httpx\\.(Async)?|Async)Client\\b"))
(class_definition name: (identifier) @bind superclasses: (argument_list [(identifier) (attribute)] @_base)
  (#match? @_base "^(httpx\\.(Async)?|Async)Client$")
  (#set! typed ""))
(import_statement (dotted_name (identifier) @bind) (#match? @bind "^httpx[0-9]?$"))
(import_statement (aliased_import name: (dotted_name) @_name alias: (identifier) @bind) (#match? @_name "^httpx[0-9]?$"))

((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call) (subscript) (parenthesized_expression)] @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call) (subscript)] @path)) @site
  (#any-of? @_request "request" "stream" "build_request"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#any-of? @_request "request" "stream" "build_request")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list (keyword_argument name: (identifier) @_method value: (_) @method))) @site
  (#any-of? @_request "request" "stream" "build_request")
  (#eq? @_method "method"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . (dictionary_splat (_) @options))) @site
  (#any-of? @_request "request" "stream" "build_request")
  (#set! path "url")
  (#set! verb "method"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method . (dictionary_splat (_) @options))) @site
  (#any-of? @_request "request" "stream" "build_request")
  (#set! path "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list . (dictionary_splat (_) @options))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! path "url"))

; send(httpx.post, url), getattr(client, verb)(url): a method as a value
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

; httpx.Client(base_url=...), also behind `or`
(assignment
  left: [(identifier) (attribute)] @bind
  right: [
    (call
      function: [(identifier) (attribute)] @_make
      arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)) @_arguments)
    (_ (call
      function: [(identifier) (attribute)] @_make
      arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)) @_arguments))]
  (#match? @_make "^(httpx\\.)?(Async)?Client$")
  (#not-match? @_arguments "\\b(app|transport)\\s*=")
  (#eq? @_key "base_url"))
; Without a name: return httpx.Client(base_url=...)
((call function: (attribute) @_make arguments: (argument_list) @_arguments) @instance
  (#match? @_make "^httpx\\.(Async)?Client$")
  (#not-match? @_arguments "\\b(app|transport)\\s*="))
((call
  function: (attribute) @_make
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)) @_arguments) @instance
  (#match? @_make "^httpx\\.(Async)?Client$")
  (#eq? @_key "base_url")
  (#not-match? @_arguments "\\b(app|transport)\\s*="))
(as_pattern
  (call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)) @_arguments)
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^(httpx\\.)?(Async)?Client$")
  (#not-match? @_arguments "\\b(app|transport)\\s*=")
  (#eq? @_key "base_url"))
