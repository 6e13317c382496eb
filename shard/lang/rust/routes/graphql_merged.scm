; framework: async-graphql   needs: "MergedObject" "MergedSubscription"   emits: graphql.extends

; #[derive(MergedObject, Default)] struct Query(UserQuery, OrderQuery);
((attribute_item (attribute (identifier) @_derive arguments: (token_tree) @_what))
  . (attribute_item)* . (struct_item
    name: (type_identifier) @class
    body: (ordered_field_declaration_list type: (type_identifier) @path @site))
  (#eq? @_derive "derive")
  (#match? @_what "Merged(Object|Subscription)")
  (#set! word ""))
