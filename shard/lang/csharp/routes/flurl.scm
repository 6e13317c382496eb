; framework: flurl   needs: "Flurl"   emits: http.consumes

; "http://x".AppendPathSegment("y").GetJsonAsync<T>()
((invocation_expression
  function: (member_access_expression expression: (_) @path name: [
    (identifier) @method
    (generic_name (identifier) @method)])
  arguments: (argument_list)) @site
  (#match? @method "^((Get|Post|Put|Patch)JsonAsync|Get(String|Stream|Bytes)Async|(Get|Post|Put|Delete|Patch|Head)Async|(Post|Put|Patch)StringAsync)$")
  (#match? @path "^\\$?\"|AppendPathSegment|(?i)ur[li]|\\.Request\\("))
