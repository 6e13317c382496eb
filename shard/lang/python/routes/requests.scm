; framework: requests   needs: "requests"   emits: http.consumes

(assignment
  left: [(identifier) (attribute)] @bind
  right: (call function: (attribute) @_make)
  (#match? @_make "^requests\\.[sS]ession$"))
(as_pattern
  (call function: (attribute) @_make)
  alias: (as_pattern_target (identifier) @bind)
  (#match? @_make "^requests\\.[sS]ession$"))
(import_statement (dotted_name (identifier) @bind) (#eq? @bind "requests"))

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
