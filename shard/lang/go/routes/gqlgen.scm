; framework: gqlgen   needs: "queryResolver" "mutationResolver" "subscriptionResolver"   emits: graphql.resolves

; func (r *queryResolver) Users(ctx context.Context) ([]*User, error)
; each ROOT WORD
;   Query | query
;   Mutation | mutation
;   Subscription | subscription
((method_declaration
  receiver: (parameter_list (parameter_declaration type: [(pointer_type (type_identifier) @_type) (type_identifier) @_type]))
  name: (field_identifier) @path @handler) @site
  (#eq? @_type "$WORDResolver")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
