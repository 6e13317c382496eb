; framework: remix   needs: "useFetcher" "useSubmit" "etcher.Form"   emits: http.consumes

; fetcher.load("/users"), fetcher.submit(data, { method: "post", action: "/users" }), <fetcher.Form method="post" action="/users">
((call_expression function: (identifier) @_use) @instance (#any-of? @_use "useFetcher" "useSubmit"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_load)
  arguments: (arguments . (_) @path)) @site
  (#eq? @_load "load")
  (#set! method "GET"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_submit)
  arguments: (arguments (_) . (object) @options)) @site
  (#eq? @_submit "submit")
  (#set! path "action")
  (#set! verb "method")
  (#set! default "GET"))
((call_expression function: (identifier) @object arguments: (arguments (_) . (object) @options)) @site
  (#set! path "action")
  (#set! verb "method")
  (#set! default "GET"))
