; framework: dev-proxy   needs: "proxy:" "Proxy:" "context:"   also: "roxy:" "target" "Rewrite"   emits: http.forwards

; proxy: { "/api": { target: "http://users", rewrite: (path) => path.replace(/^\\/api/, "") }, "/auth": "http://auth" }: Vite, webpack, Vue, Nuxt
((pair
  key: (_) @_proxy
  value: (object (pair key: (string) @path value: (object (pair key: (_) @_target value: (_) @service))) @site))
  (#match? @_proxy "^.?(proxy|devProxy).?$")
  (#match? @_target "^.?target.?$")
  (#set! method "ANY"))
((pair
  key: (_) @_proxy
  value: (object (pair key: (string) value: (object [(pair key: (_) @_rewrite value: (_) @rewrite) (method_definition name: (_) @_rewrite) @rewrite])) @site))
  (#match? @_proxy "^.?(proxy|devProxy).?$")
  (#match? @_rewrite "^.?(rewrite|pathRewrite).?$")
  (#set! method "ANY"))
((pair
  key: (_) @_proxy
  value: (object (pair key: (string) @path value: [(string) (template_string) (identifier) (member_expression) (binary_expression)] @service) @site))
  (#match? @_proxy "^.?(proxy|devProxy).?$")
  (#set! method "ANY"))

; { context: ["/api", "/auth"], target: "http://users", pathRewrite: { "^/api": "" } }: webpack, Angular
((object
  (pair key: (_) @_context value: [(string) @path (array (string) @path)])
  (pair key: (_) @_target value: (_) @service)) @site
  (#match? @_context "^.?context.?$")
  (#match? @_target "^.?target.?$")
  (#set! method "ANY"))
((object
  (pair key: (_) @_context)
  (pair key: (_) @_rewrite value: (_) @rewrite)) @site
  (#match? @_context "^.?context.?$")
  (#match? @_rewrite "^.?pathRewrite.?$")
  (#set! method "ANY"))
