; framework: grape   needs: "Grape::API" "outes.draw"   emits: http.provides

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

; class API < Grape::API; prefix :api; version "v1", using: :path; mount Users; mount Orders => "/shop": what is in a class is below it
(class name: (_) @bind superclass: (superclass))
((class name: (_) @object superclass: (superclass)) @scope
  (#set! prefix ""))
(class name: (_) @bind body: (body_statement (call !receiver method: (identifier) @_prefix arguments: (argument_list . (simple_symbol) @prefix)) @object)
  (#eq? @_prefix "prefix")
  (#set! word ""))
(class name: (_) @bind body: (body_statement (call !receiver method: (identifier) @_version arguments: (argument_list . (simple_symbol) @prefix) @_arguments))
  (#eq? @_version "version")
  (#not-match? @_arguments "using: :(header|param|accept)")
  (#set! word ""))
(class name: (_) @bind body: (body_statement (call !receiver method: (identifier) @_prefix arguments: (argument_list . (string) @prefix)) @object)
  (#eq? @_prefix "prefix"))
(class name: (_) @bind body: (body_statement (call !receiver method: (identifier) @_version arguments: (argument_list . (string) @prefix) @_arguments))
  (#eq? @_version "version")
  (#not-match? @_arguments "using: :(header|param|accept)"))
(class name: (_) @object body: (body_statement (call !receiver method: (identifier) @_mount arguments: (argument_list . [(constant) (scope_resolution)] @bind .)))
  (#eq? @_mount "mount"))
(class name: (_) @object body: (body_statement (call !receiver method: (identifier) @_mount arguments: (argument_list (pair key: [(constant) (scope_resolution)] @bind value: (string) @prefix))))
  (#eq? @_mount "mount"))
; Rails: mount Users => "/shop" in routes.draw
(call method: (identifier) @_draw block: (do_block body: (body_statement
  (call !receiver method: (identifier) @_mount @object arguments: (argument_list . (pair key: [(constant) (scope_resolution)] @bind value: (string) @prefix)))))
  (#eq? @_draw "draw")
  (#eq? @_mount "mount"))
(call method: (identifier) @_draw block: (do_block body: (body_statement
  (call !receiver method: (identifier) @_mount @object
    arguments: (argument_list . [(constant) (scope_resolution)] @bind (pair key: (hash_key_symbol) @_at value: (string) @prefix)))))
  (#eq? @_draw "draw")
  (#eq? @_at "at")
  (#eq? @_mount "mount"))
