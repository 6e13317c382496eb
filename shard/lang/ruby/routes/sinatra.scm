; framework: sinatra   needs: "sinatra" "Sinatra" "Roda" "map '" "map('"   emits: http.provides

; get "/users/:id" do ... end, below namespace "/api" do
((call !receiver method: (identifier) @method
  arguments: (argument_list . [(string) (binary) (identifier) (constant)] @path)
  block: [(do_block) (block)]) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
((call !receiver method: (identifier) @_namespace arguments: (argument_list . (string) @prefix) block: (_)) @scope
  (#eq? @_namespace "namespace"))

; config.ru: map "/api" do run Api end; what is in the class is below it
(class name: (_) @bind superclass: (superclass (_) @_base)
  (#match? @_base "Sinatra::(Base|Application)"))
((class name: (_) @object superclass: (superclass (_) @_base)) @scope
  (#match? @_base "Sinatra::(Base|Application)")
  (#set! prefix ""))
(call !receiver method: (identifier) @_map @object
  arguments: (argument_list . (string) @prefix .)
  block: (_ body: (_ (call method: (identifier) @_run arguments: (argument_list . [
    (constant) @bind (scope_resolution) @bind (call receiver: [(constant) (scope_resolution)] @bind)]))))
  (#eq? @_map "map")
  (#eq? @_run "run"))
