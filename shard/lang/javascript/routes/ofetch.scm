; framework: ofetch   needs: "etch.create("   emits: http.consumes

; $fetch.create({ baseURL, onRequest({ options }) { options.baseURL = … } }): what is made so is called like fetch
((call_expression function: (member_expression object: (identifier) @_fetch property: (_) @_create)) @instance
  (#match? @_fetch "^(\\$fetch|ofetch)$")
  (#eq? @_create "create"))
((call_expression function: (member_expression object: (identifier) @_fetch property: (_) @_create) arguments: (arguments . (_) @options)) @instance
  (#match? @_fetch "^(\\$fetch|ofetch)$")
  (#eq? @_create "create")
  (#set! prefixed "baseURL"))
((call_expression function: (member_expression object: (identifier) @_fetch property: (_) @_create) arguments: (arguments . (object [
    (pair key: (_) @_on value: (_) @intercept)
    (method_definition name: (_) @_on) @intercept]))) @instance
  (#match? @_fetch "^(\\$fetch|ofetch)$")
  (#eq? @_create "create")
  (#eq? @_on "onRequest"))
((assignment_expression left: (member_expression object: (identifier) @object property: (_) @_base) right: (_) @prefix)
  (#eq? @_base "baseURL")
  (#set! changes "base"))

; api("/users"), api("/users", { method: "POST" }), api.raw("/users")
((call_expression function: (identifier) @object arguments: (arguments . (_) @path)) @site
  (#set! default "GET"))
((call_expression function: (identifier) @object arguments: (arguments . (_) . (_) @options)) @site
  (#set! verb "method"))
((call_expression function: (member_expression object: (identifier) @object property: (_) @_raw) arguments: (arguments . (_) @path)) @site
  (#eq? @_raw "raw")
  (#set! default "GET"))
