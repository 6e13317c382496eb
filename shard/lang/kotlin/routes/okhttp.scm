; framework: okhttp   needs: "okhttp"   emits: http.consumes

; Request.Builder().url(url).post(body), in any order, also Request.Builder().apply { url(url); post(body) }
((call_expression
  [(navigation_expression (_) (navigation_suffix (simple_identifier) @_url)) (simple_identifier) @_url]
  (call_suffix (value_arguments . (value_argument) @path .))) @site
  (#eq? @_url "url")
  (#set! chain "Request.Builder|okhttp3.Request.Builder")
  (#set! default "GET"))
((call_expression
  [(navigation_expression (_) (navigation_suffix (simple_identifier) @method)) (simple_identifier) @method]) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! chain "Request.Builder|okhttp3.Request.Builder"))
((call_expression
  [(navigation_expression (_) (navigation_suffix (simple_identifier) @_method)) (simple_identifier) @_method]
  (call_suffix (value_arguments . (value_argument) @method))) @site
  (#eq? @_method "method")
  (#set! chain "Request.Builder|okhttp3.Request.Builder"))
