; framework: hotchocolate   needs: "Query" "Queries" "Mutation" "Subscription"   emits: graphql.defines

; public class Query { public Task<User> GetUserAsync(…) }, of whatever types AddQueryType and the like name
((class_declaration
  name: (identifier) @class
  body: (declaration_list (method_declaration
    (modifier) @_public
    name: (identifier) @path @handler) @site))
  (#match? @class "Query|Queries|Mutation")
  (#eq? @_public "public")
  (#set! word "")
  (#set! style "getter"))
; of what a subscription has only [Subscribe]; the others make its stream
((class_declaration
  name: (identifier) @class
  body: (declaration_list (method_declaration
    (attribute_list (attribute name: (identifier) @_subscribe))
    (modifier) @_public
    name: (identifier) @path @handler) @site))
  (#match? @class "Subscription")
  (#eq? @_subscribe "Subscribe")
  (#eq? @_public "public")
  (#set! word "")
  (#set! style "getter"))
((class_declaration
  name: (identifier) @class
  body: (declaration_list (method_declaration
    (attribute_list (attribute name: (identifier) @_name (attribute_argument_list . (attribute_argument (string_literal) @path))))) @site))
  (#match? @class "Query|Queries|Mutation|Subscription")
  (#eq? @_name "GraphQLName"))
