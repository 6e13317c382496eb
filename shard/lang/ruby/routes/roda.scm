; framework: roda   needs: "Roda"   emits: http.provides

; route do |r| r.on "users" do ... end end: what is in the block is below its matchers
; each METHOD
;   on
;   is
;   hash_branch
((call method: (identifier) @_on arguments: (argument_list . (string) @prefix .) block: (_)) @scope
  (#eq? @_on "$METHOD"))
((call method: (identifier) @_on arguments: (argument_list . [(constant) (simple_symbol)] @_any .) block: (_)) @scope
  (#eq? @_on "$METHOD")
  (#match? @_any "^(:\\w+|Integer|String)$")
  (#set! prefix "/{id}"))
((call method: (identifier) @_on arguments: (argument_list . (string) @prefix . [(constant) (simple_symbol)] @_any .) block: (_)) @scope
  (#eq? @_on "$METHOD")
  (#match? @_any "^(:\\w+|Integer|String)$")
  (#set! append "/{id}"))
((call method: (identifier) @_on arguments: (argument_list . (string) @base . (string) @prefix .) block: (_)) @scope
  (#eq? @_on "$METHOD"))
; end

; r.get { }, r.get("users") { }, r.get(Integer) { |id| }, r.root { }
((call receiver: (identifier) @_r method: (identifier) @method !arguments block: (_)) @site
  (#any-of? @_r "r" "req" "request" "route")
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! bare ""))
((call receiver: (identifier) @_r method: (identifier) @method arguments: (argument_list . (string) @path .) block: (_)) @site
  (#any-of? @_r "r" "req" "request" "route")
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "rails"))
((call receiver: (identifier) @_r method: (identifier) @method arguments: (argument_list . [(constant) (simple_symbol)] @_any .) block: (_)) @site
  (#any-of? @_r "r" "req" "request" "route")
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#match? @_any "^(:\\w+|Integer|String)$")
  (#set! append "/{id}"))
((call receiver: (identifier) @_r method: (identifier) @method arguments: (argument_list . (string) @path . [(constant) (simple_symbol)] @_any .) block: (_)) @site
  (#any-of? @_r "r" "req" "request" "route")
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#match? @_any "^(:\\w+|Integer|String)$")
  (#set! append "/{id}"))
((call receiver: (identifier) @_r method: (identifier) @_root block: (_)) @site
  (#any-of? @_r "r" "req" "request" "route")
  (#eq? @_root "root")
  (#set! method "GET")
  (#set! bare ""))

; r.run Users: what is in the class is below it
(class name: (_) @bind superclass: (superclass (_) @_base)
  (#match? @_base "Roda|App$|Base$"))
((class name: (_) @object superclass: (superclass (_) @_base)) @scope
  (#match? @_base "Roda|App$|Base$")
  (#set! prefix ""))
(call receiver: (identifier) @_r method: (identifier) @_run @object arguments: (argument_list . [
    (constant) @bind (scope_resolution) @bind (call receiver: [(constant) (scope_resolution)] @bind)])
  (#any-of? @_r "r" "req" "request" "route")
  (#eq? @_run "run"))
