; framework: okhttp   needs: "okhttp"   emits: http.consumes

; Request.Builder().url(url).post(body), in any order, with up to three others between
((call_expression
  (navigation_expression
    [
      (call_expression (navigation_expression) @_builder) @site
      (call_expression (navigation_expression [
        (call_expression (navigation_expression) @_builder) @site
        (call_expression (navigation_expression [
          (call_expression (navigation_expression) @_builder) @site
          (call_expression (navigation_expression (call_expression (navigation_expression) @_builder) @site))]))]))]
    (navigation_suffix (simple_identifier) @_url))
  (call_suffix (value_arguments . (value_argument) @path .)))
  (#eq? @_builder "Request.Builder")
  (#eq? @_url "url")
  (#set! default "GET"))
((call_expression
  (navigation_expression
    [
      (call_expression (navigation_expression) @_builder) @site
      (call_expression (navigation_expression [
        (call_expression (navigation_expression) @_builder) @site
        (call_expression (navigation_expression [
          (call_expression (navigation_expression) @_builder) @site
          (call_expression (navigation_expression (call_expression (navigation_expression) @_builder) @site))]))]))]
    (navigation_suffix (simple_identifier) @method)))
  (#eq? @_builder "Request.Builder")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head"))
