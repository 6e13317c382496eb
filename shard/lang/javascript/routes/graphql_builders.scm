; framework: pothos   needs: "pothos" "'nexus'" "queryField" "mutationField" "subscriptionField"   emits: graphql.states

; builder.queryField("users", …), builder.queryFields((t) => ({ … })), builder.queryType({ fields: (t) => ({ … }) }), nexus: queryField("users", …)
; each ROOT WORD
;   Query | query
;   Mutation | mutation
;   Subscription | subscription
((call_expression
  function: [(identifier) @_call (member_expression property: (property_identifier) @_call)]
  arguments: (arguments . (string) @path)) @site
  (#eq? @_call "$WORDField")
  (#set! prefix "$ROOT"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (arrow_function) @options)) @site
  (#eq? @_call "$WORDFields")
  (#set! prefix "$ROOT"))
((call_expression
  function: (member_expression property: (property_identifier) @_call)
  arguments: (arguments . (object (pair key: (property_identifier) @_fields value: (_) @options)))) @site
  (#eq? @_call "$WORDType")
  (#eq? @_fields "fields")
  (#set! prefix "$ROOT"))
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
  (#match? @_type "^.$ROOT.$")
  (#set! prefix "$ROOT"))
; end
