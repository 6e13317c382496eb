; framework: sparkjava   needs: "spark.Spark" "import static spark"   emits: http.provides

; get("/x", (request, response) -> ..), Spark.post("/x", handler)
((method_invocation
  !object
  name: (identifier) @method
  arguments: (argument_list . (_) @path . (_))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called ""))
((method_invocation
  object: (identifier) @_spark
  name: (identifier) @method
  arguments: (argument_list . (_) @path . (_))) @site
  (#eq? @_spark "Spark")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! called ""))

; path("/x", () -> ..)
((method_invocation
  name: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (lambda_expression) @scope .))
  (#eq? @_path "path"))
