; framework: python-schema   needs: "graphene" "strawberry"   emits: graphql.extends

; class Query(users.schema.Query, OrderQuery, graphene.ObjectType)
((class_definition
  name: (identifier) @class
  superclasses: (argument_list [(identifier) (attribute)] @path @site))
  (#match? @class "(?i)query|queries|mutation|subscription")
  (#set! word ""))
