; framework: requests   needs: "requests.get" "requests.post" "requests.put" "requests.delete" "requests.patch" "requests.Session"   emits: http.consumes

; requests.get(s"$base/orders/$id"), session.post(..)
((call_expression function: (field_expression value: (identifier) @_requests field: (identifier) @_session)) @instance
  (#eq? @_requests "requests")
  (#eq? @_session "Session"))
((call_expression
  function: (field_expression value: (identifier) @_requests field: (identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @_requests "requests" "session")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
