; framework: akka-http   needs: "akka.http" "pekko.http"   emits: http.provides

; path("orders" / LongNumber) { id => .. }, pathPrefix("api") { .. }
((call_expression
  function: (call_expression
    function: (identifier) @_path
    arguments: (arguments . (_) @prefix))
  arguments: (_) @scope)
  (#any-of? @_path "path" "pathPrefix" "rawPathPrefix")
  (#set! style "loose"))
; (path("orders") & parameters("x")) { x => .. }, (get & path("orders")) { .. }
((call_expression
  function: (parenthesized_expression (infix_expression
    left: (call_expression function: (identifier) @_path arguments: (arguments . (_) @prefix))))
  arguments: (_) @scope)
  (#any-of? @_path "path" "pathPrefix" "rawPathPrefix")
  (#set! style "loose"))
((call_expression
  function: (parenthesized_expression (infix_expression
    right: (call_expression function: (identifier) @_path arguments: (arguments . (_) @prefix))))
  arguments: (_) @scope)
  (#any-of? @_path "path" "pathPrefix" "rawPathPrefix")
  (#set! style "loose"))

; get { complete(..) }, (post & entity(as[Order])) { order => .. }
((call_expression function: (identifier) @method arguments: [(block) (case_block)]) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#not-match? @site "\\bpath(Prefix|End|EndOrSingleSlash)?\\s*[({]")
  (#set! called "")
  (#set! bare ""))
((call_expression
  function: (parenthesized_expression (infix_expression left: (identifier) @method))
  arguments: [(block) (case_block)]) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called "")
  (#set! bare ""))
((call_expression
  function: (parenthesized_expression (infix_expression right: (identifier) @method))
  arguments: [(block) (case_block)]) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called "")
  (#set! bare ""))
; get { path("orders") { .. } }
((call_expression
  function: (identifier) @method
  arguments: (block . (call_expression
    function: (call_expression function: (identifier) @_path)
    arguments: (_)) @site .))
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#eq? @_path "path")
  (#set! called "")
  (#set! bare ""))
((call_expression
  function: (call_expression function: (identifier) @_path arguments: (arguments . (_) @path))
  arguments: (_)) @site
  (#eq? @_path "path")
  (#set! style "loose")
  (#set! sure ""))

; orders.routes ~ users.routes, concat(orders.routes), pathPrefix("api") { orders.routes }: what they are is below what is around
((infix_expression left: [(identifier) (field_expression)] @bind operator: (_) @_or @object)
  (#eq? @_or "~")
  (#set! called ""))
((infix_expression operator: (_) @_or @object right: [(identifier) (field_expression)] @bind)
  (#eq? @_or "~")
  (#set! called ""))
((call_expression function: (identifier) @_concat @object arguments: (arguments [(identifier) (field_expression)] @bind))
  (#eq? @_concat "concat")
  (#set! called ""))
((call_expression
  function: (call_expression function: (identifier) @_path @object)
  arguments: [(block [(identifier) (field_expression)] @bind .) (arguments . [(identifier) (field_expression)] @bind .)])
  (#any-of? @_path "path" "pathPrefix" "rawPathPrefix")
  (#set! called ""))
