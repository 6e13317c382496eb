; framework: elixir-http   needs: "HTTPoison" "Req." "Finch.build" "Tesla" ":hackney" ":httpc" "Mojito." "HTTPotion"   emits: http.consumes

; HTTPoison.get!(url), Req.post(url, json: x), Tesla.get("http://..."), :hackney.get(url)
((call
  target: (dot left: [(alias) (atom)] @_package right: (identifier) @method)
  (arguments . [(string) (binary_operator) (identifier) (unary_operator) (call)] @path) @_arguments) @site
  (#any-of? @_package "HTTPoison" "Req" "HTTPotion" "Mojito" ":hackney")
  (#not-match? @_arguments "\\burl: ")
  (#match? @method "^(get|post|put|patch|delete|head|options)!?$")
  (#set! anyone ""))
((call
  target: (dot left: (alias) @_package right: (identifier) @method)
  (arguments . [(string) (binary_operator)] @path)) @site
  (#eq? @_package "Tesla")
  (#match? @method "^(get|post|put|patch|delete|head|options)!?$")
  (#set! anyone ""))
; url |> HTTPoison.get!()
(binary_operator
  left: [(string) (identifier)] @path
  operator: "|>"
  right: (call target: (dot left: (alias) @_package right: (identifier) @method) (arguments) @_arguments) @site
  (#any-of? @_package "HTTPoison" "Req" "Tesla")
  (#match? @method "^(get|post|put|patch|delete|head|options)!?$")
  (#not-match? @_arguments "\\burl: |^\\(\"")
  (#set! anyone ""))

; HTTPoison.request(:get, url), :hackney.request(:put, url), Finch.build(:get, url), Mojito.request(:get, url)
((call
  target: (dot left: [(alias) (atom)] @_package right: (identifier) @_request)
  (arguments . (_) @method . (_) @path)) @site
  (#any-of? @_package "HTTPoison" "HTTPotion" "Mojito" ":hackney" "Finch")
  (#match? @_request "^(request|build)!?$")
  (#set! anyone ""))
; :httpc.request(:get, {url, headers}, ...)
((call
  target: (dot left: (atom) @_package right: (identifier) @_request)
  (arguments . (_) @method . (tuple . (_) @path))) @site
  (#eq? @_package ":httpc")
  (#eq? @_request "request")
  (#set! anyone ""))

; Req.request(method: :get, url: url), Req.get!(url: url), Req.get!(req, url: url), Tesla.get(client, path)
((call
  target: (dot left: (alias) @_package right: (identifier) @_request)
  (arguments (keywords (pair key: (keyword) @_url value: (_) @path)))) @site
  (#any-of? @_package "Req" "Tesla" "HTTPoison")
  (#match? @_request "^request!?$")
  (#match? @_url "^url:")
  (#set! default "GET")
  (#set! anyone ""))
((call
  target: (dot left: (alias) @_package right: (identifier) @_request)
  (arguments (keywords (pair key: (keyword) @_method value: (_) @method)))) @site
  (#any-of? @_package "Req" "Tesla" "HTTPoison")
  (#match? @_request "^request!?$")
  (#match? @_method "^method:"))
((call
  target: (dot left: (alias) @_package right: (identifier) @method)
  (arguments . (keywords (pair key: (keyword) @_url value: (_) @path)))) @site
  (#eq? @_package "Req")
  (#match? @method "^(get|post|put|patch|delete|head)!?$")
  (#match? @_url "^url:")
  (#set! anyone ""))
((call
  target: (dot left: (alias) @_package right: (identifier) @method)
  (arguments . (_) @object . (keywords (pair key: (keyword) @_url value: (_) @path)))) @site
  (#eq? @_package "Req")
  (#match? @method "^(get|post|put|patch|delete|head)!?$")
  (#match? @_url "^url:")
  (#set! anyone ""))
((call
  target: (dot left: (alias) @_package right: (identifier) @method)
  (arguments . [(identifier) (call) (unary_operator)] @object . [(string) (binary_operator) (identifier)] @path)) @site
  (#eq? @_package "Tesla")
  (#match? @method "^(get|post|put|patch|delete|head)!?$"))
(binary_operator
  left: (_) @object
  operator: "|>"
  right: (call
    target: (dot left: (alias) @_package right: (identifier) @method)
    (arguments . (keywords (pair key: (keyword) @_url value: (_) @path)))) @site
  (#eq? @_package "Req")
  (#match? @method "^(get|post|put|patch|delete|head)!?$")
  (#match? @_url "^url:")
  (#set! anyone ""))

(binary_operator
  left: (_) @object
  operator: "|>"
  right: (call
    target: (dot left: (alias) @_package right: (identifier) @method)
    (arguments . [(string) (binary_operator)] @path)) @site
  (#eq? @_package "Tesla")
  (#match? @method "^(get|post|put|patch|delete|head)!?$"))

; Req.new(base_url: base), Tesla.client([{Tesla.Middleware.BaseUrl, base}])
((call
  target: (dot left: (alias) @_package right: (identifier) @_new)
  (arguments . (keywords (pair key: (keyword) @_base value: (_) @prefix)))) @instance
  (#eq? @_package "Req")
  (#eq? @_new "new")
  (#match? @_base "^base_url:"))
((call
  target: (dot left: (alias) @_package right: (identifier) @_client)
  (arguments . (list (tuple . (alias) @_middleware . (_) @prefix .)))) @instance
  (#eq? @_package "Tesla")
  (#eq? @_client "client")
  (#match? @_middleware "BaseUrl$"))
((call
  target: (dot left: (alias) @_package right: (identifier) @_client)
  (arguments . (list))) @instance
  (#eq? @_package "Tesla")
  (#eq? @_client "client"))

; use Tesla; plug Tesla.Middleware.BaseUrl, base; get("/users")
((call
  target: (identifier) @_module
  (do_block
    (call target: (identifier) @_use (arguments . (alias) @_tesla))
    (call target: (identifier) @_plug (arguments . (alias) @_middleware . (_) @prefix .)))) @scope
  (#eq? @_module "defmodule")
  (#eq? @_use "use")
  (#eq? @_tesla "Tesla")
  (#eq? @_plug "plug")
  (#match? @_middleware "BaseUrl$"))
(call
  target: (identifier) @_module
  (do_block
    (call target: (identifier) @_use (arguments . (alias) @_tesla))
    (call target: (identifier) @_def [
      (do_block [
        (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site
        (binary_operator right: (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site)
        (binary_operator left: (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site)
        (call (arguments [
          (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site
          (binary_operator operator: "<-" right: (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site)]))])
      (arguments (keywords (pair value: [
        (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site
        (binary_operator left: (call target: (identifier) @method (arguments . [(string) (binary_operator)] @path)) @site)])))]))
  (#eq? @_module "defmodule")
  (#eq? @_use "use")
  (#eq? @_tesla "Tesla")
  (#match? @_def "^defp?$")
  (#match? @method "^(get|post|put|patch|delete|head)!?$")
  (#set! anyone ""))
