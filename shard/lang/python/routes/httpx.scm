; framework: httpx   needs: "httpx"   emits: http.consumes

(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: (attribute) @_make)
  (#match? @_make "^httpx\\.(Async)?Client$"))
(as_pattern
  (call function: (attribute) @_make)
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^httpx\\.(Async)?Client$"))
(import_statement (dotted_name (identifier) @bind) (#eq? @bind "httpx"))

((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list . [(string) (concatenated_string) (binary_operator) (identifier) (attribute) (call) (parenthesized_expression)] @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @method)
  arguments: (argument_list (keyword_argument name: (identifier) @_url value: (_) @path))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#eq? @_url "url"))
((call
  function: (attribute object: (_) @object attribute: (identifier) @_request)
  arguments: (argument_list . [(string) (identifier)] @method . (_) @path)) @site
  (#eq? @_request "request"))

; httpx.Client(base_url=...)
(assignment
  left: [(identifier) (attribute)] @bind
  right: (call
    function: (attribute) @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#match? @_make "^httpx\\.(Async)?Client$")
  (#eq? @_key "base_url"))
(as_pattern
  (call
    function: (attribute) @_make
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^httpx\\.(Async)?Client$")
  (#eq? @_key "base_url"))
