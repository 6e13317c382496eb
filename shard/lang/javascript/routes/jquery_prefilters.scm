; framework: jquery   needs: "$.get" "$.post" "$.ajax" "jQuery." ".load('" ".load(`"   emits: http.consumes

; $.ajaxPrefilter(options => { options.url = API + options.url }), $.ajaxSetup({ beforeSend(xhr, settings) { … } })
((call_expression function: (member_expression object: (identifier) @_jq property: (_) @_prefilter) arguments: (arguments (_) @intercept .))
  (#any-of? @_jq "$" "jQuery")
  (#eq? @_prefilter "ajaxPrefilter")
  (#set! global ""))
((call_expression function: (member_expression object: (identifier) @_jq property: (_) @_setup) arguments: (arguments (object [
    (pair key: (_) @_before value: (_) @intercept)
    (method_definition name: (_) @_before) @intercept])))
  (#any-of? @_jq "$" "jQuery")
  (#eq? @_setup "ajaxSetup")
  (#eq? @_before "beforeSend")
  (#set! global ""))
((assignment_expression left: (member_expression object: (identifier) @object property: (_) @_url) right: (_) @prefix)
  (#eq? @_url "url")
  (#set! changes "url"))
