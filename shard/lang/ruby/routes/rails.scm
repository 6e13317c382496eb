; framework: rails   needs: "outes.draw"   emits: http.provides

; get "/users/:id", to: "users#show"; get "old" => "new#show"; get :preview; one site for each of its forms
((call !receiver method: (identifier) @method arguments: (argument_list . (string) @path)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @method arguments: (argument_list (simple_symbol) @path)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails")
  (#set! word "")
  (#set! action ""))
((call !receiver method: (identifier) @method arguments: (argument_list . (pair key: (string) @path value: (_) @handler))) @site
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails")
  (#set! action ""))
((call !receiver method: (identifier) @_method arguments: (argument_list (pair key: (_) @_to value: (string) @handler))) @site
  (#any-of? @_method "get" "post" "put" "patch" "delete" "match" "root")
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

; namespace :admin do, scope "/api" do, scope path: "/api" do
((call !receiver method: (identifier) @_scope arguments: (argument_list . (simple_symbol) @prefix) @_arguments) @scope
  (#any-of? @_scope "namespace" "scope")
  (#not-match? @_arguments "\\bpath:")
  (#set! word ""))
((call !receiver method: (identifier) @_scope arguments: (argument_list . (string) @prefix) @_arguments) @scope
  (#any-of? @_scope "namespace" "scope")
  (#not-match? @_arguments "\\bpath:")
  (#set! style "rails"))
((call !receiver method: (identifier) @_scope arguments: (argument_list (pair key: (_) @_path value: (string) @prefix))) @scope
  (#any-of? @_scope "namespace" "scope" "resources" "resource")
  (#match? @_path "^:?path$")
  (#set! style "rails"))

; resources :users do: below its name, and what is in its block below one of them
((call !receiver method: (identifier) @_resources arguments: (argument_list (simple_symbol) @prefix) @_arguments) @scope
  (#any-of? @_resources "resources" "resource")
  (#not-match? @_arguments "\\bpath:")
  (#set! word ""))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (string) @prefix) @_arguments) @scope
  (#any-of? @_resources "resources" "resource")
  (#not-match? @_arguments "\\bpath:"))
((call !receiver method: (identifier) @_resources
  block: (do_block body: (body_statement (call method: (identifier) @_inside) @scope)))
  (#eq? @_resources "resources")
  (#not-any-of? @_inside "collection" "new")
  (#not-match? @scope "^[^\n]*on: :collection")
  (#set! prefix "/{id}"))

; What resources are: `only` and `except` say which of these.
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:index\\b|[\\[%][^\\])}]*\\bindex\\b)|\\bexcept:\\s*(:index\\b|[\\[%][^\\])}]*\\bindex\\b)")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:create\\b|[\\[%][^\\])}]*\\bcreate\\b)|\\bexcept:\\s*(:create\\b|[\\[%][^\\])}]*\\bcreate\\b)")
  (#set! method "POST")
  (#set! append "")
  (#set! action "create"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:new\\b|[\\[%][^\\])}]*\\bnew\\b)|\\bexcept:\\s*(:new\\b|[\\[%][^\\])}]*\\bnew\\b)")
  (#set! method "GET")
  (#set! append "/new")
  (#set! action "new"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:edit\\b|[\\[%][^\\])}]*\\bedit\\b)|\\bexcept:\\s*(:edit\\b|[\\[%][^\\])}]*\\bedit\\b)")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:show\\b|[\\[%][^\\])}]*\\bshow\\b)|\\bexcept:\\s*(:show\\b|[\\[%][^\\])}]*\\bshow\\b)")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:update\\b|[\\[%][^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(:update\\b|[\\[%][^\\])}]*\\bupdate\\b)")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:update\\b|[\\[%][^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(:update\\b|[\\[%][^\\])}]*\\bupdate\\b)")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:destroy\\b|[\\[%][^\\])}]*\\bdestroy\\b)|\\bexcept:\\s*(:destroy\\b|[\\[%][^\\])}]*\\bdestroy\\b)")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "destroy"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:create\\b|[\\[%][^\\])}]*\\bcreate\\b)|\\bexcept:\\s*(:create\\b|[\\[%][^\\])}]*\\bcreate\\b)")
  (#set! method "POST")
  (#set! append "")
  (#set! action "create"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:new\\b|[\\[%][^\\])}]*\\bnew\\b)|\\bexcept:\\s*(:new\\b|[\\[%][^\\])}]*\\bnew\\b)")
  (#set! method "GET")
  (#set! append "/new")
  (#set! action "new"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:edit\\b|[\\[%][^\\])}]*\\bedit\\b)|\\bexcept:\\s*(:edit\\b|[\\[%][^\\])}]*\\bedit\\b)")
  (#set! method "GET")
  (#set! append "/edit")
  (#set! action "edit"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:show\\b|[\\[%][^\\])}]*\\bshow\\b)|\\bexcept:\\s*(:show\\b|[\\[%][^\\])}]*\\bshow\\b)")
  (#set! method "GET")
  (#set! append "")
  (#set! action "show"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:update\\b|[\\[%][^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(:update\\b|[\\[%][^\\])}]*\\bupdate\\b)")
  (#set! method "PATCH")
  (#set! append "")
  (#set! action "update"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:update\\b|[\\[%][^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(:update\\b|[\\[%][^\\])}]*\\bupdate\\b)")
  (#set! method "PUT")
  (#set! append "")
  (#set! action "update"))
((call !receiver method: (identifier) @_resources arguments: (argument_list . (_) @handler) @_arguments) @site
  (#eq? @_resources "resource")
  (#not-match? @_arguments "\\bonly:\\s*+(?!:destroy\\b|[\\[%][^\\])}]*\\bdestroy\\b)|\\bexcept:\\s*(:destroy\\b|[\\[%][^\\])}]*\\bdestroy\\b)")
  (#set! method "DELETE")
  (#set! append "")
  (#set! action "destroy"))

; devise_for :users, path: "members", skip: [:registrations]: what its sessions, passwords and registrations answer
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol) @prefix) @_arguments) @scope
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bpath:")
  (#set! word ""))
((call !receiver method: (identifier) @_devise arguments: (argument_list (pair key: (_) @_path value: (string) @prefix))) @scope
  (#eq? @_devise "devise_for")
  (#match? @_path "^:?path$")
  (#set! style "rails"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:sessions?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:sessions?\\b)|\\bskip:\\s*:all")
  (#set! method "GET")
  (#set! append "/sign_in")
  (#set! bare "")
  (#set! action "devise1"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:sessions?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:sessions?\\b)|\\bskip:\\s*:all")
  (#set! method "POST")
  (#set! append "/sign_in")
  (#set! bare "")
  (#set! action "devise2"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:sessions?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:sessions?\\b)|\\bskip:\\s*:all")
  (#set! method "DELETE")
  (#set! append "/sign_out")
  (#set! bare "")
  (#set! action "devise3"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:passwords?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:passwords?\\b)|\\bskip:\\s*:all")
  (#set! method "GET")
  (#set! append "/password/new")
  (#set! bare "")
  (#set! action "devise4"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:passwords?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:passwords?\\b)|\\bskip:\\s*:all")
  (#set! method "GET")
  (#set! append "/password/edit")
  (#set! bare "")
  (#set! action "devise5"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:passwords?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:passwords?\\b)|\\bskip:\\s*:all")
  (#set! method "PATCH")
  (#set! append "/password")
  (#set! bare "")
  (#set! action "devise6"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:passwords?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:passwords?\\b)|\\bskip:\\s*:all")
  (#set! method "PUT")
  (#set! append "/password")
  (#set! bare "")
  (#set! action "devise7"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:passwords?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:passwords?\\b)|\\bskip:\\s*:all")
  (#set! method "POST")
  (#set! append "/password")
  (#set! bare "")
  (#set! action "devise8"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "GET")
  (#set! append "/sign_up")
  (#set! bare "")
  (#set! action "devise9"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "GET")
  (#set! append "/edit")
  (#set! bare "")
  (#set! action "devise10"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "GET")
  (#set! append "/cancel")
  (#set! bare "")
  (#set! action "devise11"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "PATCH")
  (#set! append "")
  (#set! bare "")
  (#set! action "devise12"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "PUT")
  (#set! append "")
  (#set! bare "")
  (#set! action "devise13"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "DELETE")
  (#set! append "")
  (#set! bare "")
  (#set! action "devise14"))
((call !receiver method: (identifier) @_devise arguments: (argument_list . (simple_symbol)) @_arguments) @site
  (#eq? @_devise "devise_for")
  (#not-match? @_arguments "\\bskip:\\s*\\[?[^\\]]*:registrations?\\b")
  (#not-match? @_arguments "\\bonly:\\s*+(?!\\[?[^\\]]*:registrations?\\b)|\\bskip:\\s*:all")
  (#set! method "POST")
  (#set! append "")
  (#set! bare "")
  (#set! action "devise15"))

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
