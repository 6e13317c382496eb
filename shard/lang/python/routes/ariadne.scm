; framework: ariadne   needs: "ariadne"   emits: graphql.resolves

; query = QueryType(); @query.field("users"), query.set_field("users", find_users)
((decorated_definition
  (decorator (call
    function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
    arguments: (argument_list . (string) @path))) @site
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_field "field" "source")
  (#match? @_object "(?i)query")
  (#set! prefix "Query"))
((call
  function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
  arguments: (argument_list . (string) @path . (identifier) @handler)) @site
  (#any-of? @_field "set_field" "set_source")
  (#match? @_object "(?i)query")
  (#set! prefix "Query"))
((decorated_definition
  (decorator (call
    function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
    arguments: (argument_list . (string) @path))) @site
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_field "field" "source")
  (#match? @_object "(?i)mutation")
  (#set! prefix "Mutation"))
((call
  function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
  arguments: (argument_list . (string) @path . (identifier) @handler)) @site
  (#any-of? @_field "set_field" "set_source")
  (#match? @_object "(?i)mutation")
  (#set! prefix "Mutation"))
((decorated_definition
  (decorator (call
    function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
    arguments: (argument_list . (string) @path))) @site
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_field "field" "source")
  (#match? @_object "(?i)subscription")
  (#set! prefix "Subscription"))
((call
  function: (attribute object: (identifier) @_object attribute: (identifier) @_field)
  arguments: (argument_list . (string) @path . (identifier) @handler)) @site
  (#any-of? @_field "set_field" "set_source")
  (#match? @_object "(?i)subscription")
  (#set! prefix "Subscription"))
