; framework: net/http   needs: "Net::HTTP"   emits: http.consumes

; Net::HTTP.get(uri), Net::HTTP.get("host", "/path"), Net::HTTP.get_response(uri), Net::HTTP.post_form(uri, ...)
((call receiver: (scope_resolution) @_http method: (identifier) @method arguments: (argument_list . (_) @path) @_arguments) @site
  (#eq? @_http "Net::HTTP")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#not-match? @_arguments "^\\(?\\s*['\"][^'\"]+['\"],"))
((call receiver: (scope_resolution) @_http method: (identifier) @_response arguments: (argument_list . (_) @path)) @site
  (#eq? @_http "Net::HTTP")
  (#eq? @_response "get_response")
  (#set! method "GET"))
((call receiver: (scope_resolution) @_http method: (identifier) @_form arguments: (argument_list . (_) @path)) @site
  (#eq? @_http "Net::HTTP")
  (#eq? @_form "post_form")
  (#set! method "POST"))

; Net::HTTP::Post.new(uri), Net::HTTP::Get.new("/path")
((call
  receiver: (scope_resolution scope: (_) @_http name: (constant) @method)
  method: (identifier) @_new
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_http "Net::HTTP")
  (#eq? @_new "new")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options"))

; request_class.new(uri), Net::HTTP.const_get(verb).new(uri), "Net::HTTP::#{verb}".constantize.new(uri)
((call receiver: [(identifier) (element_reference)] @method method: (identifier) @_new arguments: (argument_list . (_) @path)) @site
  (#eq? @_new "new")
  (#set! sure ""))
((call
  receiver: (call method: (identifier) @_get arguments: (argument_list . (_) @method))
  method: (identifier) @_new
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_get "const_get" "class_for")
  (#eq? @_new "new")
  (#set! sure ""))
((call
  receiver: (call receiver: (string) @method method: (identifier) @_get)
  method: (identifier) @_new
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_get "constantize" "safe_constantize")
  (#eq? @_new "new")
  (#set! sure ""))

; http = Net::HTTP.new(host, port); http.get("/path"), Net::HTTP.start(host) do |http|
((call receiver: (scope_resolution) @_http method: (identifier) @_new) @instance (#eq? @_http "Net::HTTP") (#any-of? @_new "new" "start"))
((call receiver: (scope_resolution) @_http method: (identifier) @_new arguments: (argument_list . [(string) (constant) (identifier)] @prefix)) @instance
  (#eq? @_http "Net::HTTP")
  (#any-of? @_new "new" "start")
  (#set! prefix "http://"))
((call
  receiver: (scope_resolution) @_http
  method: (identifier) @_start
  arguments: (argument_list . (_) @prefix)
  block: (_ parameters: (block_parameters (identifier) @bind)))
  (#eq? @_http "Net::HTTP")
  (#any-of? @_start "start" "new")
  (#set! prefix "http://"))
((call
  receiver: [(identifier) (instance_variable)] @object
  method: (identifier) @_request
  arguments: (argument_list . (call receiver: (scope_resolution scope: (_) @_http)) @site))
  (#eq? @_request "request")
  (#eq? @_http "Net::HTTP")
  (#set! anyone ""))

; request = Net::HTTP::Delete.new("/path"); http.request(request)
(_
  (assignment left: (identifier) @_made right: (call receiver: (scope_resolution scope: (_) @_http)) @site)
  [(call receiver: [(identifier) (instance_variable)] @object method: (identifier) @_request arguments: (argument_list . (identifier) @_sent))
   (assignment right: (call
     receiver: [(identifier) (instance_variable)] @object
     method: (identifier) @_request
     arguments: (argument_list . (identifier) @_sent)))]
  (#eq? @_request "request")
  (#eq? @_made @_sent)
  (#eq? @_http "Net::HTTP")
  (#set! anyone ""))
((call receiver: [(identifier) (instance_variable)] @object method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head"))

; http.send_request("GET", "/path"), http.public_send(verb, "/path")
((call receiver: (_) @object method: (identifier) @_send arguments: (argument_list . (_) @method . (_) @path)) @site
  (#any-of? @_send "send_request" "send" "public_send" "__send__"))
