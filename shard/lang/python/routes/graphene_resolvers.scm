; framework: graphene   needs: "graphene" "def resolve_"   emits: graphql.resolves

; def resolve_users(self, info): the place of the field
((class_definition
  name: (identifier) @class
  body: (block [
    (function_definition name: (identifier) @path @handler) @site
    (decorated_definition definition: (function_definition name: (identifier) @path @handler)) @site]))
  (#match? @path "^resolve_")
  (#set! word "")
  (#set! style "resolver"))
