; framework: rails   needs: "outes.draw"   emits: http.provides

; get "/users/:id", to: "users#show"; get "old" => "new#show"; get :preview; one site for each of its forms
((call !receiver method: (identifier) @method arguments: (argument_list . [(string) (binary) (identifier) (constant) (scope_resolution)] @path)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @method arguments: (argument_list (simple_symbol) @path)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails")
  (#set! word "")
  (#set! action ""))
((call !receiver method: (identifier) @method arguments: (argument_list . (pair key: [(string) (identifier)] @path value: (_) @handler))) @site
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_method arguments: (argument_list (pair key: (_) @_to value: [(string) (identifier)] @handler))) @site
  (#any-of? @_method "get" "post" "put" "patch" "delete" "match" "root" "send" "public_send" "__send__")
  (#match? @_to "^:?to$")
  (#set! action ""))
((call !receiver method: (identifier) @_root) @site
  (#eq? @_root "root")
  (#set! method "GET")
  (#set! bare "")
  (#set! action ""))
((call !receiver method: (identifier) @_root arguments: (argument_list . (string) @handler)) @site
  (#eq? @_root "root")
  (#set! action ""))

; match "/x", to: "x#y", via: [:get, :post]
((call !receiver method: (identifier) @_match arguments: (argument_list . (string) @path)) @site
  (#eq? @_match "match")
  (#set! default "ANY")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_match arguments: (argument_list . (pair key: (string) @path value: (_) @handler))) @site
  (#eq? @_match "match")
  (#set! default "ANY")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_match arguments: (argument_list (pair key: (_) @_via value: [
    (simple_symbol) @method
    (array (simple_symbol) @method)
    (symbol_array (bare_symbol) @method)]))) @site
  (#eq? @_match "match")
  (#match? @_via "^:?via$")
  (#set! action ""))

; send(verb, path, to: "users#show"), match path, to: action, via: verb
((call !receiver method: (identifier) @_send arguments: (argument_list . (_) @method . (_) @path)) @site
  (#any-of? @_send "send" "public_send" "__send__")
  (#set! sure "")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_send arguments: (argument_list . (_) @method . (pair key: [(string) (identifier)] @path value: (_) @handler))) @site
  (#any-of? @_send "send" "public_send" "__send__")
  (#set! sure "")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_match arguments: (argument_list . (identifier) @path)) @site
  (#eq? @_match "match")
  (#set! default "ANY")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_match arguments: (argument_list (pair key: (_) @_via value: (identifier) @method))) @site
  (#eq? @_match "match")
  (#match? @_via "^:?via$")
  (#set! action ""))

; namespace :admin do, scope "/api" do, scope path: "/api" do
((call !receiver method: (identifier) @_scope arguments: (argument_list . (simple_symbol) @prefix) @_arguments) @scope
  (#any-of? @_scope "namespace" "scope")
  (#not-match? @_arguments "\\bpath(?::|\\s*=>)")
  (#set! word ""))
((call !receiver method: (identifier) @_scope arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (binary)] @prefix) @_arguments) @scope
  (#any-of? @_scope "namespace" "scope")
  (#not-match? @_arguments "\\bpath(?::|\\s*=>)")
  (#set! style "rails"))
((call !receiver method: (identifier) @_scope arguments: (argument_list (pair key: (_) @_path value: (string) @prefix))) @scope
  (#any-of? @_scope "namespace" "scope" "resources" "resource")
  (#match? @_path "^:?path$")
  (#set! style "rails"))

; resources :users do: below its name, and what is in its block below one of them
((call !receiver method: (identifier) @_resources arguments: (argument_list (simple_symbol) @prefix) @_arguments) @scope
  (#any-of? @_resources "resources" "resource")
  (#not-match? @_arguments "\\bpath(?::|\\s*=>)")
  (#set! word ""))
((call !receiver method: (identifier) @_resources arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution)] @prefix) @_arguments) @scope
  (#any-of? @_resources "resources" "resource")
  (#not-match? @_arguments "\\bpath(?::|\\s*=>)"))
((call !receiver method: (identifier) @_resources
  block: (do_block body: (body_statement (call method: (identifier) @_inside) @scope)))
  (#eq? @_resources "resources")
  (#not-any-of? @_inside "collection" "new")
  (#not-match? @scope "^[^\n]*\\bon(?::|\\s*=>)\\s*:collection")
  (#set! prefix "/{id}"))

; What resources are: `only` and `except` say which of these.
; each CALL ACTION METHOD APPEND
;   resources | index | GET |
;   resources | create | POST |
;   resources | new | GET | /new
;   resources | edit | GET | /{id}/edit
;   resources | show | GET | /{id}
;   resources | update | PATCH | /{id}
;   resources | update | PUT | /{id}
;   resources | destroy | DELETE | /{id}
;   resource | create | POST |
;   resource | new | GET | /new
;   resource | edit | GET | /edit
;   resource | show | GET |
;   resource | update | PATCH |
;   resource | update | PUT |
;   resource | destroy | DELETE |
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "$CALL")
  (#not-match? @_arguments "\\bonly(?::|\\s*=>)\\s*+(?!:$ACTION\\b|[\\[%][^\\])}]*\\b$ACTION\\b)|\\bexcept(?::|\\s*=>)\\s*(:$ACTION\\b|[\\[%][^\\])}]*\\b$ACTION\\b)")
  (#set! method "$METHOD")
  (#set! append "$APPEND")
  (#set! action "$ACTION"))
; end

; devise_for :users, path: "members", skip: [:registrations]: what its sessions, passwords and registrations answer
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol) @prefix) @_arguments) @scope
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bpath(?::|\\s*=>)")
  (#set! word ""))
((call !receiver method: (identifier) @_devise arguments: (argument_list (pair key: (_) @_path value: (string) @prefix))) @scope
  (#eq? @_devise "devise_for")
  (#match? @_path "^:?path$")
  (#set! style "rails"))
; each PART ACTION METHOD APPEND
;   session | devise1 | GET | /sign_in
;   session | devise2 | POST | /sign_in
;   session | devise3 | DELETE | /sign_out
;   password | devise4 | GET | /password/new
;   password | devise5 | GET | /password/edit
;   password | devise6 | PATCH | /password
;   password | devise7 | PUT | /password
;   password | devise8 | POST | /password
;   registration | devise9 | GET | /sign_up
;   registration | devise10 | GET | /edit
;   registration | devise11 | GET | /cancel
;   registration | devise12 | PATCH |
;   registration | devise13 | PUT |
;   registration | devise14 | DELETE |
;   registration | devise15 | POST |
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:$PARTs?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:$PARTs?\\b)|\\bskip:\\s*:all")
  (#set! method "$METHOD")
  (#set! append "$APPEND")
  (#set! bare "")
  (#set! action "$ACTION"))
; end

; concern :commentable do: what is in it is below each of the resources that have it
(call !receiver method: (identifier) @_concern arguments: (argument_list . (simple_symbol) @bind)
  (#eq? @_concern "concern"))
((call !receiver method: (identifier) @_concern arguments: (argument_list . (simple_symbol) @object)) @scope
  (#eq? @_concern "concern")
  (#set! prefix ""))
(call !receiver method: (identifier) @_resources @object arguments: (argument_list (pair key: (_) @_concerns value: [(simple_symbol) @bind (array (simple_symbol) @bind)]))
  (#eq? @_resources "resources")
  (#match? @_concerns "^:?concerns$")
  (#set! prefix "/{id}"))
(call !receiver method: (identifier) @_resources @object arguments: (argument_list (pair key: (_) @_concerns value: [(simple_symbol) @bind (array (simple_symbol) @bind)]))
  (#eq? @_resources "resource")
  (#match? @_concerns "^:?concerns$"))
(call !receiver method: (identifier) @_concerns @object arguments: (argument_list (simple_symbol) @bind)
  (#eq? @_concerns "concerns"))

; mount Billing::Engine, at: "/billing"; mount Billing::Engine => "/billing": what Billing::Engine.routes.draw has is below it
(call receiver: (call receiver: [(scope_resolution) (constant)] @bind method: (identifier) @_routes) method: (identifier) @_draw
  (#eq? @_routes "routes")
  (#eq? @_draw "draw"))
((call receiver: (call receiver: [(scope_resolution) (constant)] @object method: (identifier) @_routes) method: (identifier) @_draw) @scope
  (#eq? @_routes "routes")
  (#eq? @_draw "draw")
  (#set! prefix ""))
(call !receiver method: (identifier) @_mount @object
  arguments: (argument_list . [(constant) (scope_resolution)] @bind (pair key: (hash_key_symbol) @_at value: (string) @prefix))
  (#eq? @_mount "mount")
  (#eq? @_at "at"))
(call !receiver method: (identifier) @_mount @object
  arguments: (argument_list . (pair key: [(constant) (scope_resolution)] @bind value: (string) @prefix))
  (#eq? @_mount "mount"))
