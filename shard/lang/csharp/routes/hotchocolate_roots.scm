; framework: hotchocolate   needs: "AddQueryType" "AddMutationType" "AddSubscriptionType"   emits: graphql.roots

; services.AddGraphQLServer().AddQueryType<Query>().AddMutationType<Mutation>()
((member_access_expression name: (generic_name
  (identifier) @_add
  (type_argument_list [(identifier) (qualified_name)] @path))) @site
  (#eq? @_add "AddQueryType")
  (#set! prefix "Query")
  (#set! word ""))
((member_access_expression name: (generic_name
  (identifier) @_add
  (type_argument_list [(identifier) (qualified_name)] @path))) @site
  (#eq? @_add "AddMutationType")
  (#set! prefix "Mutation")
  (#set! word ""))
((member_access_expression name: (generic_name
  (identifier) @_add
  (type_argument_list [(identifier) (qualified_name)] @path))) @site
  (#eq? @_add "AddSubscriptionType")
  (#set! prefix "Subscription")
  (#set! word ""))
