; framework: python-schema   needs: "graphene" "strawberry"   emits: graphql.roots

; graphene.Schema(query=Query, mutation=Mutation), strawberry.Schema(Query)
((call
  function: [(identifier) @_schema (attribute attribute: (identifier) @_schema)]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @path) @site))
  (#eq? @_schema "Schema")
  (#eq? @_key "query")
  (#set! prefix "Query")
  (#set! word ""))
((call
  function: [(identifier) @_schema (attribute attribute: (identifier) @_schema)]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @path) @site))
  (#eq? @_schema "Schema")
  (#eq? @_key "mutation")
  (#set! prefix "Mutation")
  (#set! word ""))
((call
  function: [(identifier) @_schema (attribute attribute: (identifier) @_schema)]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: [(identifier) (attribute)] @path) @site))
  (#eq? @_schema "Schema")
  (#eq? @_key "subscription")
  (#set! prefix "Subscription")
  (#set! word ""))
((call
  function: (attribute) @_schema
  arguments: (argument_list . [(identifier) (attribute)] @path @site))
  (#match? @_schema "^(graphene|strawberry)\\.(federation\\.)?Schema$")
  (#set! prefix "Query")
  (#set! word ""))
