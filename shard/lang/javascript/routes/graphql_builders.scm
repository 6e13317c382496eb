; framework: pothos   needs: "pothos" "'nexus'" "queryField" "mutationField" "subscriptionField"   emits: graphql.states

; builder.queryField("users", …), builder.queryFields((t) => ({ … })), builder.queryType({ fields: (t) => ({ … }) }), nexus: queryField("users", …)
((call_expression
  function: [(identifier) @_call (member_expression property: (property_identifier) @_call)]
  arguments: (arguments . (string) @path)) @site
  (#eq? @_call "queryField")
  (#set! prefix "Query"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (arrow_function) @options)) @site
  (#eq? @_call "queryFields")
  (#set! prefix "Query"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object (pair key: (property_identifier) @_fields value: (_) @options)))) @site
  (#eq? @_call "queryType")
  (#eq? @_fields "fields")
  (#set! prefix "Query"))
; extendType({ type: "Query", definition(t) { t.list.field("users", …) } })
((call_expression
  function: (identifier) @_call
  arguments: (arguments (object
    (pair key: (property_identifier) @_key value: (string) @_type)
    (method_definition body: (statement_block (expression_statement (call_expression
      function: (member_expression)
      arguments: (arguments . (string) @path)) @site))))))
  (#any-of? @_call "extendType" "objectType")
  (#any-of? @_key "type" "name")
  (#match? @_type "^.Query.$")
  (#set! prefix "Query"))
((call_expression
  function: [(identifier) @_call (member_expression property: (property_identifier) @_call)]
  arguments: (arguments . (string) @path)) @site
  (#eq? @_call "mutationField")
  (#set! prefix "Mutation"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (arrow_function) @options)) @site
  (#eq? @_call "mutationFields")
  (#set! prefix "Mutation"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object (pair key: (property_identifier) @_fields value: (_) @options)))) @site
  (#eq? @_call "mutationType")
  (#eq? @_fields "fields")
  (#set! prefix "Mutation"))
; extendType({ type: "Mutation", definition(t) { t.list.field("users", …) } })
((call_expression
  function: (identifier) @_call
  arguments: (arguments (object
    (pair key: (property_identifier) @_key value: (string) @_type)
    (method_definition body: (statement_block (expression_statement (call_expression
      function: (member_expression)
      arguments: (arguments . (string) @path)) @site))))))
  (#any-of? @_call "extendType" "objectType")
  (#any-of? @_key "type" "name")
  (#match? @_type "^.Mutation.$")
  (#set! prefix "Mutation"))
((call_expression
  function: [(identifier) @_call (member_expression property: (property_identifier) @_call)]
  arguments: (arguments . (string) @path)) @site
  (#eq? @_call "subscriptionField")
  (#set! prefix "Subscription"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (arrow_function) @options)) @site
  (#eq? @_call "subscriptionFields")
  (#set! prefix "Subscription"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object (pair key: (property_identifier) @_fields value: (_) @options)))) @site
  (#eq? @_call "subscriptionType")
  (#eq? @_fields "fields")
  (#set! prefix "Subscription"))
; extendType({ type: "Subscription", definition(t) { t.list.field("users", …) } })
((call_expression
  function: (identifier) @_call
  arguments: (arguments (object
    (pair key: (property_identifier) @_key value: (string) @_type)
    (method_definition body: (statement_block (expression_statement (call_expression
      function: (member_expression)
      arguments: (arguments . (string) @path)) @site))))))
  (#any-of? @_call "extendType" "objectType")
  (#any-of? @_key "type" "name")
  (#match? @_type "^.Subscription.$")
  (#set! prefix "Subscription"))
