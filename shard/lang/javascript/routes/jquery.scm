; framework: jquery   needs: "$.get" "$.post" "$.ajax" "jQuery." ".load('" ".load(`"   emits: http.consumes

; $.get(url), $.post(url), $.getJSON(url)
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @_jq "$" "jQuery" "jquery")
  (#any-of? @method "get" "post")
  (#not-match? @path "^\\{"))
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_get)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @_jq "$" "jQuery" "jquery")
  (#any-of? @_get "getJSON" "getScript")
  (#set! method "GET"))

; $.ajax({ url, type }), $.ajax(url, { method }), $.post({ url })
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_ajax)
  arguments: (arguments . (_) @options)) @site
  (#any-of? @_jq "$" "jQuery" "jquery")
  (#eq? @_ajax "ajax")
  (#set! default "GET")
  (#set! path "url")
  (#set! verb "type method"))
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_ajax)
  arguments: (arguments . [(string) (template_string) (binary_expression)] @path)) @site
  (#any-of? @_jq "$" "jQuery" "jquery")
  (#eq? @_ajax "ajax")
  (#set! default "GET"))
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @_ajax)
  arguments: (arguments . (_) . (_) @options)) @site
  (#any-of? @_jq "$" "jQuery" "jquery")
  (#eq? @_ajax "ajax")
  (#set! verb "type method"))
((call_expression
  function: (member_expression object: (identifier) @_jq property: (property_identifier) @method)
  arguments: (arguments . (object) @options)) @site
  (#any-of? @_jq "$" "jQuery" "jquery")
  (#any-of? @method "get" "post")
  (#set! path "url"))

; $("#cart").load(url): what follows a blank chooses from the page
((call_expression
  function: (member_expression object: (call_expression function: (identifier) @_jq) property: (property_identifier) @_load)
  arguments: (arguments . [(string) (template_string) (binary_expression)] @path)) @site
  (#any-of? @_jq "$" "jQuery")
  (#eq? @_load "load")
  (#not-match? @path "\\.html?\\b")
  (#set! method "GET"))
