; framework: grape   needs: "Grape::API"   emits: http.provides

; get ":id" do, get do, below resource :users do and route_param :id do
((call !receiver method: (identifier) @method arguments: (argument_list . [(string) (binary) (constant)] @path) block: (_)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
((call !receiver method: (identifier) @method arguments: (argument_list . (simple_symbol) @path) block: (_)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails")
  (#set! word ""))
((call !receiver method: (identifier) @method !arguments block: (_)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! bare ""))
((call !receiver method: (identifier) @_resource arguments: (argument_list . (simple_symbol) @prefix) block: (_)) @scope
  (#any-of? @_resource "resource" "resources" "namespace" "group" "segment")
  (#set! word ""))
((call !receiver method: (identifier) @_resource arguments: (argument_list . (string) @prefix) block: (_)) @scope
  (#any-of? @_resource "resource" "resources" "namespace" "group" "segment")
  (#set! style "rails"))
((call !receiver method: (identifier) @_route arguments: (argument_list . (simple_symbol)) block: (_)) @scope
  (#eq? @_route "route_param")
  (#set! prefix "/{id}"))

; prefix :api, and below it version "v1", using: :path
(class body: (body_statement (call !receiver method: (identifier) @_prefix arguments: (argument_list . (simple_symbol) @prefix)))
  (#eq? @_prefix "prefix")
  (#set! word "")) @scope
(class body: (body_statement (call !receiver method: (identifier) @_prefix arguments: (argument_list . (string) @prefix)))
  (#eq? @_prefix "prefix")) @scope
(class body: (body_statement (call !receiver method: (identifier) @_version arguments: (argument_list . (string) @prefix) @_arguments)
  (#eq? @_version "version")
  (#not-match? @_arguments "using: :(header|param|accept)")) @scope)
(class body: (body_statement (call !receiver method: (identifier) @_version arguments: (argument_list . (simple_symbol) @prefix) @_arguments)
  (#eq? @_version "version")
  (#not-match? @_arguments "using: :(header|param|accept)")
  (#set! word "")) @scope)
