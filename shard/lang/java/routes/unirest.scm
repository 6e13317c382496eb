; framework: unirest   needs: "Unirest"   emits: http.consumes

((method_invocation
  object: (identifier) @_type
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_type "Unirest")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
