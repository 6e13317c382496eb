; framework: jquery   needs: "$." "jQuery."   emits: http.consumes

; $.get(url), $.post(url), $.getJSON(url)
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @_jq "$" "jQuery")
  (#any-of? @method "get" "post"))
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_get)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @_jq "$" "jQuery")
  (#any-of? @_get "getJSON" "getScript")
  (#set! method "GET"))

; $.ajax({ url, type }), $.ajax({ url, method })
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_ajax)
  arguments: (arguments . (object (pair key: (property_identifier) @_key value: (_) @path)))) @site
  (#any-of? @_jq "$" "jQuery")
  (#eq? @_ajax "ajax")
  (#eq? @_key "url")
  (#set! default "GET"))
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_ajax)
  arguments: (arguments (object (pair key: (property_identifier) @_key value: (_) @method)))) @site
  (#any-of? @_jq "$" "jQuery")
  (#eq? @_ajax "ajax")
  (#any-of? @_key "type" "method"))
