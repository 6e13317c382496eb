; framework: sinatra   needs: "sinatra" "Sinatra" "Roda"   emits: http.provides

; get "/users/:id" do ... end, below namespace "/api" do
((call !receiver method: (identifier) @method
  arguments: (argument_list . [(string) (binary) (identifier) (constant)] @path)
  block: [(do_block) (block)]) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "head")
  (#set! style "rails"))
((call !receiver method: (identifier) @_namespace arguments: (argument_list . (string) @prefix) block: (_)) @scope
  (#eq? @_namespace "namespace"))
