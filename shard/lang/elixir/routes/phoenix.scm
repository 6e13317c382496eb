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
; each ACTION METHOD APPEND
;   index | GET |
;   create | POST |
;   new | GET | /new
;   edit | GET | /{id}/edit
;   show | GET | /{id}
;   update | PATCH | /{id}
;   update | PUT | /{id}
;   delete | DELETE | /{id}
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#not-match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\b$ACTION\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\b$ACTION\\b")
  (#set! method "$METHOD")
  (#set! append "$APPEND")
  (#set! action "$ACTION"))
; end
; each ACTION METHOD APPEND
;   create | POST |
;   new | GET | /new
;   edit | GET | /edit
;   show | GET |
;   update | PATCH |
;   update | PUT |
;   delete | DELETE |
((call
  target: (identifier) @_resources
  (arguments . (_) . (_) @handler) @_arguments) @site
  (#eq? @_resources "resources")
  (#match? @_arguments "\\bsingleton: true")
  (#not-match? @_arguments "\\bonly:\\s*+(?!(\\[|~w)[^\\])}]*\\b$ACTION\\b)|\\bexcept:\\s*(\\[|~w)[^\\])}]*\\b$ACTION\\b")
  (#set! method "$METHOD")
  (#set! append "$APPEND")
  (#set! action "$ACTION"))
; end

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
