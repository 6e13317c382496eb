; framework: phoenix   needs: ":router" "Phoenix.Router"   emits: http.provides

; get "/users/:id", UserController, :show
((call
  target: (identifier) @method
  (arguments . [(string) (binary_operator) (unary_operator)] @path . [(alias) (identifier)]) @handler) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head" "trace")
  (#set! style "rails")
  (#set! action ""))
; match :*, "/x", XController, :any
((call
  target: (identifier) @_match
  (arguments . (_) @method . [(string) (binary_operator) (unary_operator)] @path . (alias)) @handler) @site
  (#eq? @_match "match")
  (#set! default "ANY")
  (#set! style "rails")
  (#set! action ""))
; live "/users", UserLive.Index, :index
((call
  target: (identifier) @_live
  (arguments . [(string) (binary_operator) (unary_operator)] @path . (alias) @handler)) @site
  (#eq? @_live "live")
  (#set! method "GET")
  (#set! style "rails"))

; scope "/api", ShopWeb do, scope path: "/api" do
((call
  target: (identifier) @_scope
  (arguments . [(string) (binary_operator) (unary_operator)] @prefix)
  (do_block)) @scope
  (#eq? @_scope "scope")
  (#set! style "rails"))
((call
  target: (identifier) @_scope
  (arguments (keywords (pair key: (keyword) @_path value: (_) @prefix)))
  (do_block)) @scope
  (#eq? @_scope "scope")
  (#match? @_path "^path:")
  (#set! style "rails"))

; for prefix <- ["/", "/repos/:repo"] do scope prefix do
(call
  target: (identifier) @_for
  (arguments . (binary_operator left: (identifier) @_each operator: "<-" right: (list (string) @prefix)))
  (do_block (call target: (identifier) @_scope (arguments . (identifier) @_given)) @scope)
  (#eq? @_for "for")
  (#eq? @_scope "scope")
  (#eq? @_each @_given)
  (#set! style "rails"))

; resources "/users", UserController do: below its path, and what is in its block below one of them
((call
  target: (identifier) @_resources
  (arguments . (_) @prefix . (_))) @scope
  (#eq? @_resources "resources")
  (#set! style "rails"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_)) @_arguments
  (do_block (call) @scope))
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#set! prefix "/{id}"))

; What resources are: `only` and `except` say which of these.
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bindex\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bindex\\b")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bcreate\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bcreate\\b")
  (#set! method "POST")
  (#set! append "")
  (#set! action "create"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bnew\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bnew\\b")
  (#set! method "GET")
  (#set! append "/new")
  (#set! action "new"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bedit\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bedit\\b")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bshow\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bshow\\b")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bupdate\\b")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bupdate\\b")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bdelete\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bdelete\\b")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "delete"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bcreate\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bcreate\\b")
  (#set! method "POST")
  (#set! append "")
  (#set! action "create"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bnew\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bnew\\b")
  (#set! method "GET")
  (#set! append "/new")
  (#set! action "new"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bedit\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bedit\\b")
  (#set! method "GET")
  (#set! append "/edit")
  (#set! action "edit"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bshow\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bshow\\b")
  (#set! method "GET")
  (#set! append "")
  (#set! action "show"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bupdate\\b")
  (#set! method "PATCH")
  (#set! append "")
  (#set! action "update"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bupdate\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bupdate\\b")
  (#set! method "PUT")
  (#set! append "")
  (#set! action "update"))
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\bdelete\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\bdelete\\b")
  (#set! method "DELETE")
  (#set! append "")
  (#set! action "delete"))

; forward "/jobs", Jobs.Router: what is in that module is below it; any other plug answers all that is below
((call target: (identifier) @_module (arguments . (alias) @bind) (do_block (call target: (identifier) @_use)))
  (#eq? @_module "defmodule")
  (#eq? @_use "use"))
((call target: (identifier) @_module (arguments . (alias) @object) (do_block (call target: (identifier) @_use))) @scope
  (#eq? @_module "defmodule")
  (#eq? @_use "use")
  (#set! prefix ""))
((call target: (identifier) @_forward @object (arguments . (string) @prefix . (alias) @bind))
  (#eq? @_forward "forward"))
((call target: (identifier) @_forward (arguments . (string) @path . (alias) @_plug @handler)) @site
  (#eq? @_forward "forward")
  (#not-match? @_plug "(Router|Endpoint)$")
  (#set! method "ANY")
  (#set! style "prefix"))
