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
