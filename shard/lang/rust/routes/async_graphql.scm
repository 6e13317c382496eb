; framework: async-graphql   needs: "async_graphql" "juniper" "#[Object"   emits: graphql.defines

; #[Object] impl Query { async fn all_users(&self) }, #[graphql_object] impl Query
((attribute_item (attribute [(identifier) @_object (scoped_identifier name: (identifier) @_object)]))
  . (attribute_item)* . (impl_item
    type: (type_identifier) @class
    body: (declaration_list (function_item name: (identifier) @path @handler) @site))
  (#any-of? @_object "Object" "graphql_object" "Subscription" "graphql_subscription")
  (#set! word "")
  (#set! style "camel"))
