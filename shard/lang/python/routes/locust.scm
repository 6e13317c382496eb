; framework: locust   needs: "locust"   emits: http.consumes   scope: devtool

; self.client.get("/path") of a user, or of what is handed to a task
((call
  function: (attribute object: [(attribute attribute: (identifier) @_client) (identifier) @_client] attribute: (identifier) @method)
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_client "client")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options")
  (#set! anyone ""))
