; framework: warp   needs: "warp::"   emits: http.provides

; warp::path!("users" / u32).and(warp::get()).and_then(show), .map(|id| ...): the filter says path and method
((call_expression
  function: (field_expression value: (_) @path @object field: (field_identifier) @_end)
  arguments: (arguments . (_) @handler .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @path "\\bpath(!|::\\w+)?\\s*\\(")
  (#set! default "ANY")
  (#set! anyone ""))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)get\\(\\)")
  (#set! method "GET"))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)post\\(\\)")
  (#set! method "POST"))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)put\\(\\)")
  (#set! method "PUT"))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)patch\\(\\)")
  (#set! method "PATCH"))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)delete\\(\\)")
  (#set! method "DELETE"))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)head\\(\\)")
  (#set! method "HEAD"))
((call_expression
  function: (field_expression value: (_) @_path field: (field_identifier) @_end)
  arguments: (arguments . (_) .)) @site
  (#any-of? @_end "and_then" "map" "then")
  (#match? @_path "\\bpath(!|::\\w+)?\\s*\\(")
  (#match? @_path "(^|\\(|warp::|method::)options\\(\\)")
  (#set! method "OPTIONS"))

; warp::path("api").and(users::routes()): what has no path of its own is below
(call_expression
  function: (field_expression value: (_) @object @prefix field: (field_identifier) @_and)
  arguments: (arguments . [(call_expression) (identifier)] @bind .)
  (#eq? @_and "and")
  (#match? @prefix "\\bpath(!|::\\w+)?\\s*\\(")
  (#not-match? @bind "^(warp::)?(path|get|post|put|delete|patch|head|options|query|body|header|any|cookie|multipart|method|fs|filters|ws|log|cors|addr|host|reply|ext|sse|trace)(::\\w+)*(::<.*>)?\\("))
; list().or(show()): what is mounted with it
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_or)
  arguments: (arguments . [(call_expression) (identifier)] @bind .)
  (#eq? @_or "or"))
