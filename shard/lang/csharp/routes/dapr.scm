; framework: dapr   needs: "InvokeMethodAsync" "CreateInvokeMethodRequest"   emits: http.consumes

; client.InvokeMethodAsync<T>(HttpMethod.Get, "app", "path")
((invocation_expression
  function: (member_access_expression name: [(identifier) @_invoke (generic_name (identifier) @_invoke)])
  arguments: (argument_list
    . (argument (member_access_expression expression: (identifier) @_method)) @method
    . (argument) @service
    . (argument) @path)) @site
  (#any-of? @_invoke "InvokeMethodAsync" "CreateInvokeMethodRequest" "InvokeMethodWithResponseAsync")
  (#eq? @_method "HttpMethod"))
