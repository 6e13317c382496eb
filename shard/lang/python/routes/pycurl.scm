; framework: pycurl   needs: "pycurl"   emits: http.consumes

; c = pycurl.Curl(); c.setopt(c.URL, url), what is said of the same handle in the same function
(function_definition body: (block
  (expression_statement (assignment left: (_) @_curl right: (call function: (attribute attribute: (identifier) @_make))))
  (expression_statement (call
    function: (attribute object: (_) @_same attribute: (identifier) @_setopt)
    arguments: (argument_list . (attribute attribute: (identifier) @_url) . (_) @path)) @site))
  (#eq? @_make "Curl")
  (#eq? @_curl @_same)
  (#eq? @_setopt "setopt")
  (#eq? @_url "URL")
  (#set! default "GET"))
(block
  (expression_statement (call
    function: (attribute object: (_) @_curl attribute: (identifier) @_first)
    arguments: (argument_list . (attribute attribute: (identifier) @_url))) @site)
  (expression_statement (call
    function: (attribute object: (_) @_same attribute: (identifier) @_setopt)
    arguments: (argument_list . (attribute attribute: (identifier) @_custom) . (_) @method)))
  (#eq? @_curl @_same)
  (#eq? @_first "setopt")
  (#eq? @_setopt "setopt")
  (#eq? @_url "URL")
  (#eq? @_custom "CUSTOMREQUEST"))
(block
  (expression_statement (call
    function: (attribute object: (_) @_curl attribute: (identifier) @_first)
    arguments: (argument_list . (attribute attribute: (identifier) @_url))) @site)
  (expression_statement (call
    function: (attribute object: (_) @_same attribute: (identifier) @_setopt)
    arguments: (argument_list . (attribute attribute: (identifier) @_fields))))
  (#eq? @_curl @_same)
  (#eq? @_first "setopt")
  (#eq? @_setopt "setopt")
  (#eq? @_url "URL")
  (#any-of? @_fields "POSTFIELDS" "HTTPPOST" "POST")
  (#set! default "POST"))
