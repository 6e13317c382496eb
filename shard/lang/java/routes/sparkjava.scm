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

; path("/x", Users::routes), path("/x", users): what that function, or its addRoutes(), calls
((method_invocation
  name: (identifier) @_path @object
  arguments: (argument_list . (_) @prefix
    . [(method_reference) (identifier) (field_access) (object_creation_expression) (method_invocation)] @bind .))
  (#eq? @_path "path")
  (#set! invokes "addRoutes")
  (#set! called ""))
