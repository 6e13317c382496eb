; framework: xhr   needs: "XMLHttpRequest" "XHR"   emits: http.consumes

((call_expression
  function: (member_expression property: (property_identifier) @_open)
  arguments: (arguments . (string) @method . (_) @path)) @site
  (#eq? @_open "open")
  (#not-match? @path "^\\d")
  (#match? @method "(?i)^.(get|post|put|delete|patch|head|options).$"))
