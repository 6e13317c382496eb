; framework: hanami   needs: "Hanami::Routes" "Hanami::Router"   emits: http.provides

; get "/users/:id", to: "users.show", below scope "api" do and slice :admin, at: "/admin" do
((call !receiver method: (identifier) @method arguments: (argument_list . [(string) (binary) (identifier) (constant) (scope_resolution)] @path)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
((call !receiver method: (identifier) @_root arguments: (argument_list (pair))) @site
  (#eq? @_root "root")
  (#set! method "GET")
  (#set! bare ""))
((call !receiver method: (identifier) @_scope arguments: (argument_list . [(string) (binary) (identifier) (constant) (scope_resolution)] @prefix) block: (_)) @scope
  (#any-of? @_scope "scope" "namespace" "prefix"))
((call !receiver method: (identifier) @_slice arguments: (argument_list (pair key: (hash_key_symbol) @_at value: (_) @prefix)) block: (_)) @scope
  (#eq? @_slice "slice")
  (#eq? @_at "at"))
