; framework: sinatra   needs: "sinatra" "Sinatra" "map '" "map('"   emits: http.provides

; get "/users/:id" do ... end, get("/users", &handler), below namespace "/api" do
((call !receiver method: (identifier) @method
  arguments: (argument_list . [(string) (binary) (identifier) (constant) (scope_resolution) (call)] @path)
  block: [(do_block) (block)]) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
((call !receiver method: (identifier) @method
  arguments: (argument_list . [(string) (binary) (identifier) (constant) (scope_resolution) (call)] @path (block_argument))) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
; namespace "/users" do get { ... } end
(call !receiver method: (identifier) @_namespace
  block: (_ body: (_ (call !receiver method: (identifier) @method !arguments block: (_)) @site))
  (#eq? @_namespace "namespace")
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! bare ""))
; send(verb, path) do ... end, app.send(verb, path, &handler)
((call method: (identifier) @_send arguments: (argument_list . (_) @method . (_) @path) block: [(do_block) (block)]) @site
  (#any-of? @_send "send" "public_send" "__send__")
  (#set! sure "")
  (#set! style "rails"))
((call method: (identifier) @_send arguments: (argument_list . (_) @method . (_) @path (block_argument))) @site
  (#any-of? @_send "send" "public_send" "__send__")
  (#set! sure "")
  (#set! style "rails"))
((call !receiver method: (identifier) @_namespace arguments: (argument_list . [(string) (identifier) (constant) (binary)] @prefix) block: (_)) @scope
  (#eq? @_namespace "namespace"))
((call !receiver method: (identifier) @_namespace arguments: (argument_list . (simple_symbol) @prefix) block: (_)) @scope
  (#eq? @_namespace "namespace")
  (#set! word ""))

; config.ru: map "/api" do run Api end; what is in the class is below it
(class name: (_) @bind superclass: (superclass (_) @_base)
  (#match? @_base "Sinatra::(Base|Application)"))
((class name: (_) @object superclass: (superclass (_) @_base)) @scope
  (#match? @_base "Sinatra::(Base|Application)")
  (#set! prefix ""))
(call !receiver method: (identifier) @_map @object
  arguments: (argument_list . (string) @prefix .)
  block: (_ body: (_ (call method: (identifier) @_run arguments: (argument_list . [
    (constant) @bind (scope_resolution) @bind (identifier) @bind (instance_variable) @bind (call receiver: [(constant) (scope_resolution)] @bind)]))))
  (#eq? @_map "map")
  (#eq? @_run "run"))
((call !receiver method: (identifier) @_map arguments: (argument_list . (string) @prefix .) block: (_)) @scope
  (#eq? @_map "map"))
; Rack::URLMap.new("/users" => Users)
(call receiver: (scope_resolution) @_rack method: (identifier) @_new @object
  arguments: (argument_list (pair key: (string) @prefix value: [(constant) @bind (scope_resolution) @bind (call receiver: [(constant) (scope_resolution)] @bind)]))
  (#eq? @_rack "Rack::URLMap")
  (#eq? @_new "new"))
