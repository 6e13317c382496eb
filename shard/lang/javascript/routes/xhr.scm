; framework: xhr   needs: "XMLHttpRequest" "XHR"   emits: http.consumes

((new_expression constructor: [(identifier) (member_expression)] @_xhr) @instance (#match? @_xhr "^(window\\.)?XMLHttpRequest$"))

; xhr.open("GET", url); with a method that a name has only where it was made is known
((call_expression
  function: (member_expression object: (_) @_on property: (property_identifier) @_open)
  arguments: (arguments . (string) @method . (_) @path)) @site
  (#eq? @_open "open")
  (#not-any-of? @_on "window" "self" "dialog" "$dialog" "$window")
  (#not-match? @path "^\\d")
  (#match? @method "(?i)^.(get|post|put|delete|patch|head|options).$"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_open)
  arguments: (arguments . [(identifier) (member_expression) (call_expression) (ternary_expression)] @method . (_) @path)) @site
  (#eq? @_open "open"))
