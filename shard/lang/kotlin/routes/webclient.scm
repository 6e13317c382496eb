; framework: webclient   needs: "WebClient" "webClient" "RestClient" "restClient"   emits: http.consumes

; client.get().uri("/x/{id}", id), .uri { it.path("/x").build() }
((call_expression
  (navigation_expression
    (call_expression
      (navigation_expression (_) @service (navigation_suffix (simple_identifier) @method))
      (call_suffix (value_arguments)))
    (navigation_suffix (simple_identifier) @_uri))
  (call_suffix [
    (value_arguments . (value_argument) @path)
    (annotated_lambda) @path])) @site
  (#eq? @_uri "uri")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#not-match? @service "(?i)test|mock|\\b(path|host|and|method|predicate)\\s*\\("))
((call_expression
  (navigation_expression
    (call_expression
      (navigation_expression (_) @service (navigation_suffix (simple_identifier) @_method))
      (call_suffix (value_arguments . (value_argument) @method .)))
    (navigation_suffix (simple_identifier) @_uri))
  (call_suffix [
    (value_arguments . (value_argument) @path)
    (annotated_lambda) @path])) @site
  (#eq? @_uri "uri")
  (#eq? @_method "method")
  (#not-match? @service "(?i)test|mock|\\b(path|host|and|method|predicate)\\s*\\("))
