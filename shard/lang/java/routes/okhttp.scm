; framework: okhttp   needs: "okhttp"   emits: http.consumes

; new Request.Builder().url(url).post(body), in any order
((method_invocation
  object: (_) @site
  name: (identifier) @_url
  arguments: (argument_list . (_) @path .))
  (#eq? @_url "url")
  (#set! chain "Request.Builder|okhttp3.Request.Builder")
  (#set! default "GET"))
((method_invocation object: (_) @site name: (identifier) @method)
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! chain "Request.Builder|okhttp3.Request.Builder"))
((method_invocation
  object: (_) @site
  name: (identifier) @_method
  arguments: (argument_list . (_) @method))
  (#eq? @_method "method")
  (#set! chain "Request.Builder|okhttp3.Request.Builder"))
