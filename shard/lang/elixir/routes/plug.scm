; framework: plug   needs: "Plug.Router"   unless: "Phoenix.Router"   emits: http.provides

; get "/users/:id" do, post "/users", to: Users
((call
  target: (identifier) @method
  (arguments . (string) @path)
  (do_block)) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
((call
  target: (identifier) @method
  (arguments . (string) @path . (keywords (pair key: (keyword) @_to value: (alias) @handler)))) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#match? @_to "^to:")
  (#set! style "rails"))
; match "/users", via: [:get, :post] do; `match _` is for what nobody answers
((call
  target: (identifier) @_match
  (arguments . (string) @path)
  (do_block)) @site
  (#eq? @_match "match")
  (#set! default "ANY")
  (#set! style "rails"))
((call
  target: (identifier) @_match
  (arguments . (string) . (keywords (pair key: (keyword) @_via value: [(atom) @method (list (atom) @method)])))
  (do_block)) @site
  (#eq? @_match "match")
  (#match? @_via "^via:"))

; forward "/users", to: Users.Router: what is in that module is below it
((call target: (identifier) @_module (arguments . (alias) @bind) (do_block (call target: (identifier) @_use (arguments . (alias) @_router))))
  (#eq? @_module "defmodule")
  (#eq? @_use "use")
  (#eq? @_router "Plug.Router"))
((call target: (identifier) @_module (arguments . (alias) @object) (do_block (call target: (identifier) @_use (arguments . (alias) @_router)))) @scope
  (#eq? @_module "defmodule")
  (#eq? @_use "use")
  (#eq? @_router "Plug.Router")
  (#set! prefix ""))
((call
  target: (identifier) @_forward @object
  (arguments . (string) @prefix (keywords (pair key: (keyword) @_to value: (alias) @bind))))
  (#eq? @_forward "forward")
  (#match? @_to "^to:"))
