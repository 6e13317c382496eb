; framework: fetch   needs: "etch(" "etch<" "new Request(" "useLazyFetch("   emits: http.consumes

; window.fetch = (url, options) => original(API + url, options)
((assignment_expression left: (member_expression) @_fetch right: (_) @intercept)
  (#match? @_fetch "^(window|globalThis|global|self)\\.fetch$")
  (#set! global ""))
((call_expression
  function: [(identifier) (member_expression)] @_fetch
  arguments: (arguments . [(binary_expression) (template_string)] @prefix))
  (#match? @_fetch "(?i)fetch$")
  (#set! changes "url"))
((call_expression
  function: (member_expression) @_call
  arguments: (arguments . (_) . [(binary_expression) (template_string)] @prefix))
  (#match? @_call "(?i)fetch\\.call$")
  (#set! changes "url"))
((assignment_expression left: (identifier) @_url right: (binary_expression right: (identifier) @_same) @prefix)
  (#eq? @_url @_same)
  (#set! changes "url"))
((assignment_expression left: (identifier) @_url right: (template_string (template_substitution (identifier) @_same)) @prefix)
  (#eq? @_url @_same)
  (#set! changes "url"))
