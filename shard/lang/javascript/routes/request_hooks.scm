; framework: request   needs: "'request'" "/request'" "request-promise" "superagent" "'got'" "/got'" "'needle'" "'ky'" "/ky'" "ky-universal'" "'undici'" "'wretch'" "requestretry'" "'phin'" "rxjs/ajax'" "umi-request'" "'umi'" "@umijs/max'"   emits: http.consumes

; umi-request: extend({ prefix: "/api" })
((call_expression function: (identifier) @_extend arguments: (arguments . (object) @options)) @instance
  (#eq? @_extend "extend")
  (#set! prefixed "prefix"))

; got.extend({ hooks: { init: [options => { options.prefixUrl = … }] } }), ky's beforeRequest
((call_expression
  function: (member_expression property: (property_identifier) @_make)
  arguments: (arguments . (object (pair key: (_) @_hooks value: (object (pair key: (_) @_before value: (array) @intercept)))))) @instance
  (#any-of? @_make "extend" "create")
  (#eq? @_hooks "hooks")
  (#any-of? @_before "init" "beforeRequest"))
((assignment_expression left: (member_expression object: (identifier) @object property: (_) @_base) right: (_) @prefix)
  (#eq? @_base "prefixUrl")
  (#set! changes "base"))
((new_expression constructor: (identifier) @_request arguments: (arguments . [(binary_expression) (template_string)] @prefix))
  (#eq? @_request "Request")
  (#set! changes "url"))
