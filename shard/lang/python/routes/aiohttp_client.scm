; framework: aiohttp   needs: "ClientSession"   emits: http.consumes

(assignment
  left: [(identifier) (attribute)] @bind
  right: (_) @_make
  (#match? @_make "\\bClientSession\\("))
((call function: [(identifier) (attribute)] @_make) @instance (#match? @_make "\\bClientSession$"))
((call function: [(identifier) (attribute)] @_make arguments: (argument_list . [(string) (identifier) (attribute)] @prefix)) @instance
  (#match? @_make "\\bClientSession$"))
((call
  function: [(identifier) (attribute)] @_make
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "\\bClientSession$")
  (#eq? @_key "base_url"))
(as_pattern
  (call function: [(identifier) (attribute)] @_make)
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "\\bClientSession$"))
(typed_parameter . (identifier) @bind type: (type) @_type (#match? @_type "\\bClientSession\\b"))
(typed_default_parameter name: (identifier) @bind type: (type) @_type (#match? @_type "\\bClientSession\\b"))
(assignment left: [(identifier) (attribute)] @bind type: (type) @_type (#match? @_type "\\bClientSession\\b"))
(class_definition name: (identifier) @bind superclasses: (argument_list [(identifier) (attribute)] @_base)
  (#match? @_base "^(aiohttp\\.)?ClientSession$")
  (#set! typed ""))
(parameters (identifier) @bind (#match? @bind "^(\\w+_)?sess(ion)?$"))
(parameters (default_parameter name: (identifier) @bind) (#match? @bind "^(\\w+_)?sess(ion)?$"))
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
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method . (_) @path)) @site
  (#any-of? @_request "request" "_request"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#eq? @_request "request")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list (keyword_argument name: (identifier) @_method value: (_) @method))) @site
  (#eq? @_request "request")
  (#eq? @_method "method"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . (dictionary_splat (_) @options))) @site
  (#any-of? @_request "request")
  (#set! path "url")
  (#set! verb "method"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier) (attribute) (call) (subscript)] @method . (dictionary_splat (_) @options))) @site
  (#any-of? @_request "request")
  (#set! path "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list . (dictionary_splat (_) @options))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! path "url"))
(as_pattern
  (call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "\\bClientSession$")
  (#eq? @_key "base_url"))
(as_pattern
  (call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list . [(string) (identifier) (attribute)] @prefix))
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "\\bClientSession$"))
