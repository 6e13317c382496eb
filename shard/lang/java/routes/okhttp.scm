; framework: okhttp   needs: "okhttp"   emits: http.consumes

; new Request.Builder().url(url).post(body), in any order, with up to three others between
((method_invocation
  object: [
    (object_creation_expression type: (_) @_builder) @site
    (method_invocation object: [
      (object_creation_expression type: (_) @_builder) @site
      (method_invocation object: [
        (object_creation_expression type: (_) @_builder) @site
        (method_invocation object: (object_creation_expression type: (_) @_builder) @site)])])]
  name: (identifier) @_url
  arguments: (argument_list . (_) @path .))
  (#any-of? @_builder "Request.Builder" "okhttp3.Request.Builder")
  (#eq? @_url "url")
  (#set! default "GET"))
((method_invocation
  object: [
    (object_creation_expression type: (_) @_builder) @site
    (method_invocation object: [
      (object_creation_expression type: (_) @_builder) @site
      (method_invocation object: [
        (object_creation_expression type: (_) @_builder) @site
        (method_invocation object: [
          (object_creation_expression type: (_) @_builder) @site
          (method_invocation object: (object_creation_expression type: (_) @_builder) @site)])])])]
  name: (identifier) @method)
  (#any-of? @_builder "Request.Builder" "okhttp3.Request.Builder")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head"))
((method_invocation
  object: [
    (object_creation_expression type: (_) @_builder) @site
    (method_invocation object: [
      (object_creation_expression type: (_) @_builder) @site
      (method_invocation object: [
        (object_creation_expression type: (_) @_builder) @site
        (method_invocation object: (object_creation_expression type: (_) @_builder) @site)])])]
  name: (identifier) @_method
  arguments: (argument_list . (_) @method))
  (#any-of? @_builder "Request.Builder" "okhttp3.Request.Builder")
  (#eq? @_method "method"))

; the builder in a variable
((variable_declarator name: (identifier) @bind value: [
  (object_creation_expression type: (_) @_builder)
  (method_invocation object: (object_creation_expression type: (_) @_builder))])
  (#any-of? @_builder "Request.Builder" "okhttp3.Request.Builder"))
((method_invocation object: (identifier) @object name: (identifier) @_url arguments: (argument_list . (_) @path .)) @site
  (#eq? @_url "url")
  (#set! default "GET"))
