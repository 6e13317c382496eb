; framework: graph-gophers   needs: "graph-gophers/graphql-go"   emits: graphql.resolves

; func (r *RootResolver) Users(args struct{ … }) []*UserResolver: whatever root has it
((method_declaration
  receiver: (parameter_list (parameter_declaration type: [(pointer_type (type_identifier) @_type) (type_identifier) @_type]))
  name: (field_identifier) @path @handler) @site
  (#match? @_type "(?i)^(root|schema|query|mutation)?(query|mutation)?resolver$|^(Query|Mutation|Root)$")
  (#set! prefix "*")
  (#set! word ""))
