; framework: python-schema   needs: "graphene" "strawberry"   emits: graphql.roots

; graphene.Schema(query=Query, mutation=Mutation), strawberry.Schema(Query)
; each ROOT WORD
;   Query | query
;   Mutation | mutation
;   Subscription | subscription
((call
  function: [(identifier) @_schema (attribute attribute: (identifier) @_schema)]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @path) @site))
  (#eq? @_schema "Schema")
  (#eq? @_key "$WORD")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
((call
  function: (attribute) @_schema
  arguments: (argument_list . [(identifier) (attribute)] @path @site))
  (#match? @_schema "^(graphene|strawberry)\\.(federation\\.)?Schema$")
  (#set! prefix "Query")
  (#set! word ""))
