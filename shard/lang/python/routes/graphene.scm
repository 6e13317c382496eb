; framework: graphene   needs: "graphene"   emits: graphql.defines

; class Query(graphene.ObjectType): users = graphene.List(User); create_user = CreateUser.Field()
((class_definition
  name: (identifier) @class
  body: (block (expression_statement (assignment
    left: (identifier) @path
    right: (call function: [(identifier) @_field (attribute attribute: (identifier) @_field)])) @site)))
  (#match? @_field "Field$|^(List|NonNull|String|Int|Float|Boolean|ID|Decimal|Date|DateTime|Time|JSONString|UUID|BigInt|GenericScalar)$")
  (#set! word "")
  (#set! style "camel"))
((class_definition
  body: (block (expression_statement (assignment
    right: (call function: (attribute object: (identifier) @handler attribute: (identifier) @_field))) @site)))
  (#eq? @_field "Field")
  (#not-match? @handler "^graphene$"))
; name="allUsers"
((class_definition
  name: (identifier) @class
  body: (block (expression_statement (assignment
    right: (call arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string) @path)))) @site)))
  (#eq? @_name "name"))
