; framework: gqlgen   needs: "queryResolver" "mutationResolver" "subscriptionResolver"   emits: graphql.resolves

; func (r *queryResolver) Users(ctx context.Context) ([]*User, error)
((method_declaration
  receiver: (parameter_list (parameter_declaration type: [(pointer_type (type_identifier) @_type) (type_identifier) @_type]))
  name: (field_identifier) @path @handler) @site
  (#eq? @_type "queryResolver")
  (#set! prefix "Query")
  (#set! word ""))
((method_declaration
  receiver: (parameter_list (parameter_declaration type: [(pointer_type (type_identifier) @_type) (type_identifier) @_type]))
  name: (field_identifier) @path @handler) @site
  (#eq? @_type "mutationResolver")
  (#set! prefix "Mutation")
  (#set! word ""))
((method_declaration
  receiver: (parameter_list (parameter_declaration type: [(pointer_type (type_identifier) @_type) (type_identifier) @_type]))
  name: (field_identifier) @path @handler) @site
  (#eq? @_type "subscriptionResolver")
  (#set! prefix "Subscription")
  (#set! word ""))
