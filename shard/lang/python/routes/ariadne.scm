; framework: ariadne   needs: "ariadne"   emits: graphql.resolves

; query = QueryType(); @query.field("users"), query.set_field("users", find_users)
; each ROOT WORD
;   Query | query
;   Mutation | mutation
;   Subscription | subscription
((decorated_definition
  (decorator (call
    function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
    arguments: (argument_list . (string) @path))) @site
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_field "field" "source")
  (#match? @_object "(?i)$WORD")
  (#set! prefix "$ROOT"))
((call
  function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
  arguments: (argument_list . (string) @path . (identifier) @handler)) @site
  (#any-of? @_field "set_field" "set_source")
  (#match? @_object "(?i)$WORD")
  (#set! prefix "$ROOT"))
; end
