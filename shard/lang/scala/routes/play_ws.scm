; framework: play-ws   needs: "play.api.libs.ws"   emits: http.consumes

; ws.url(s"$base/orders").addHttpHeaders(..).get(), .post(body), .execute("PUT")
((call_expression
  function: (field_expression field: (identifier) @_url)
  arguments: (arguments . (_) @path .)) @site
  (#eq? @_url "url")
  (#set! sure ""))
((call_expression function: (field_expression field: (identifier) @method)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! chain ".url"))
((call_expression
  function: (field_expression field: (identifier) @_execute)
  arguments: (arguments . (_) @method .)) @site
  (#any-of? @_execute "execute" "withMethod")
  (#set! chain ".url"))
