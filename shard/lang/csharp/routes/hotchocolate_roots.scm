; framework: hotchocolate   needs: "AddQueryType" "AddMutationType" "AddSubscriptionType"   emits: graphql.roots

; services.AddGraphQLServer().AddQueryType<Query>().AddMutationType<Mutation>()
; each ROOT
;   Query
;   Mutation
;   Subscription
((member_access_expression name: (generic_name
  (identifier) @_add
  (type_argument_list [(identifier) (qualified_name)] @path))) @site
  (#eq? @_add "Add$ROOTType")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
