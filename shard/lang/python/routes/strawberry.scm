; framework: strawberry   needs: "strawberry"   emits: graphql.defines

; @strawberry.type class Query: @strawberry.field def users(self)
((class_definition
  name: (identifier) @class
  body: (block (decorated_definition
    (decorator [(call function: (_) @_field) (attribute) @_field (identifier) @_field])
    definition: (function_definition name: (identifier) @path @handler)) @site))
  (#match? @_field "^(strawberry\\w*\\.(\\w+\\.)*)?(field|mutation|subscription|connection)$")
  (#set! word "")
  (#set! style "camel"))
((class_definition
  name: (identifier) @class
  body: (block (decorated_definition
    (decorator (call
      function: (_) @_field
      arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string) @path))))) @site))
  (#match? @_field "^(strawberry\\w*\\.(\\w+\\.)*)?(field|mutation|subscription|connection)$")
  (#eq? @_name "name"))
; users: list[User] = strawberry.field(resolver=get_users)
((class_definition
  name: (identifier) @class
  body: (block (expression_statement (assignment
    left: (identifier) @path
    right: (call function: (_) @_field)) @site)))
  (#match? @_field "^strawberry\\w*\\.(\\w+\\.)*(field|mutation|subscription|connection)$")
  (#set! word "")
  (#set! style "camel"))
((class_definition
  body: (block (expression_statement (assignment
    right: (call
      function: (_) @_field
      arguments: (argument_list (keyword_argument name: (identifier) @_resolver value: (identifier) @handler)))) @site)))
  (#match? @_field "^strawberry\\w*\\.(\\w+\\.)*(field|mutation|subscription|connection)$")
  (#eq? @_resolver "resolver"))
