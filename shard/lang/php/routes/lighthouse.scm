; framework: lighthouse   needs: "GraphQL\Queries" "GraphQL\Mutations" "GraphQL\Subscriptions"   emits: graphql.resolves

; namespace App\GraphQL\Queries; class Users { public function __invoke(…) }: the field that is called like the class
((program
  (namespace_definition name: (namespace_name) @_space)
  (class_declaration
    name: (name) @path
    body: (declaration_list (method_declaration name: (name) @_invoke @handler))) @site)
  (#match? @_space "GraphQL\\\\Queries$")
  (#eq? @_invoke "__invoke")
  (#set! prefix "Query")
  (#set! word ""))
((program
  (namespace_definition name: (namespace_name) @_space)
  (class_declaration
    name: (name) @path
    body: (declaration_list (method_declaration name: (name) @_invoke @handler))) @site)
  (#match? @_space "GraphQL\\\\Mutations$")
  (#eq? @_invoke "__invoke")
  (#set! prefix "Mutation")
  (#set! word ""))
