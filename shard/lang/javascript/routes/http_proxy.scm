; framework: http-proxy-middleware   needs: "http-proxy-middleware"   emits: http.forwards

; app.use("/api", createProxyMiddleware({ target: "http://users", pathRewrite: { "^/api": "" } }))
((call_expression
  function: (member_expression property: (property_identifier) @_use)
  arguments: (arguments
    . [(string) @path (template_string) @path (identifier) @path (array (string) @path)]
    (call_expression
      function: [(identifier) (member_expression)] @_make
      arguments: (arguments . (object (pair key: (_) @_target value: (_) @service)) .)))) @site
  (#any-of? @_use "use" "all" "get" "post")
  (#match? @_make "(?i)proxy")
  (#match? @_target "^.?target.?$")
  (#set! method "ANY"))
((call_expression
  function: (member_expression property: (property_identifier) @_use)
  arguments: (arguments
    (call_expression
      function: [(identifier) (member_expression)] @_make
      arguments: (arguments . (object (pair key: (_) @_rewrite value: (_) @rewrite)) .)))) @site
  (#any-of? @_use "use" "all" "get" "post")
  (#match? @_make "(?i)proxy")
  (#match? @_rewrite "^.?pathRewrite.?$")
  (#set! method "ANY"))

; createProxyMiddleware("/api", { target }), createProxyMiddleware({ pathFilter: "/api", target })
((call_expression
  function: (identifier) @_make
  arguments: (arguments
    . [(string) @path (array (string) @path)]
    . (object (pair key: (_) @_target value: (_) @service)))) @site
  (#match? @_make "(?i)proxy")
  (#match? @_target "^.?target.?$")
  (#set! method "ANY"))
((call_expression
  function: (identifier) @_make
  arguments: (arguments . (_) . (object (pair key: (_) @_rewrite value: (_) @rewrite)))) @site
  (#match? @_make "(?i)proxy")
  (#match? @_rewrite "^.?pathRewrite.?$")
  (#set! method "ANY"))
((call_expression
  function: (identifier) @_make
  arguments: (arguments . (object
    (pair key: (_) @_filter value: [(string) @path (array (string) @path)])) .)) @site
  (#match? @_make "(?i)proxy")
  (#match? @_filter "^.?pathFilter.?$")
  (#set! method "ANY"))
((call_expression
  function: (identifier) @_make
  arguments: (arguments . (object (pair key: (_) @_filter) (pair key: (_) @_target value: (_) @service)) .)) @site
  (#match? @_make "(?i)proxy")
  (#match? @_filter "^.?pathFilter.?$")
  (#match? @_target "^.?target.?$")
  (#set! method "ANY"))
((call_expression
  function: (identifier) @_make
  arguments: (arguments . (object (pair key: (_) @_target value: (_) @service) (pair key: (_) @_filter)) .)) @site
  (#match? @_make "(?i)proxy")
  (#match? @_filter "^.?pathFilter.?$")
  (#match? @_target "^.?target.?$")
  (#set! method "ANY"))
