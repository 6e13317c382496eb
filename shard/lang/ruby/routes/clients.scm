; framework: ruby-http   needs: "Faraday" "RestClient" "HTTP." "Typhoeus" "Excon" "HTTParty"   emits: http.consumes

; Faraday.get(url), RestClient.post(url, ...), HTTParty.get(url), HTTP.get(url), HTTP.auth(x).get(url)
((call receiver: (constant) @_package method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#any-of? @_package "Faraday" "RestClient" "HTTParty" "HTTP" "Typhoeus" "Excon")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call receiver: (constant) @_package method: (identifier) @_send arguments: (argument_list . (_) @method . (_) @path)) @site
  (#any-of? @_package "Faraday" "RestClient" "HTTParty" "HTTP" "Typhoeus" "Excon")
  (#any-of? @_send "send" "public_send" "__send__" "request"))
((call receiver: (call receiver: (constant) @_package) method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#eq? @_package "HTTP")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))

; RestClient::Request.execute(method: :get, url: url), RestClient::Request.execute(options)
((call receiver: (scope_resolution) @_request method: (identifier) @_execute arguments: (argument_list (pair)) @options) @site
  (#eq? @_request "RestClient::Request")
  (#any-of? @_execute "execute" "new")
  (#set! path "url")
  (#set! verb "method")
  (#set! open ""))
((call
  receiver: (scope_resolution) @_request
  method: (identifier) @_execute
  arguments: (argument_list . [(identifier) (call) (hash) (instance_variable)] @options .)) @site
  (#eq? @_request "RestClient::Request")
  (#any-of? @_execute "execute" "new")
  (#set! path "url")
  (#set! verb "method")
  (#set! open ""))

; Typhoeus::Request.new(url, method: :post)
((call
  receiver: (scope_resolution) @_request
  method: (identifier) @_new
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_request "Typhoeus::Request")
  (#any-of? @_new "new" "run")
  (#set! default "GET"))
((call
  receiver: (scope_resolution) @_request
  method: (identifier) @_new
  arguments: (argument_list . (_) . (pair)) @options) @site
  (#eq? @_request "Typhoeus::Request")
  (#any-of? @_new "new" "run")
  (#set! verb "method")
  (#set! open ""))
((call
  receiver: (scope_resolution) @_request
  method: (identifier) @_new
  arguments: (argument_list . (_) . [(identifier) (call) (hash) (instance_variable)] @options)) @site
  (#eq? @_request "Typhoeus::Request")
  (#any-of? @_new "new" "run")
  (#set! verb "method")
  (#set! open ""))

; conn = Faraday.new("http://users"), Faraday.new(url: "http://users"), RestClient::Resource.new("http://users"), HTTP.persistent("http://users")
((call receiver: [(constant) (scope_resolution)] @_package method: (identifier) @_new) @instance
  (#any-of? @_package "Faraday" "Excon" "Faraday::Connection" "RestClient::Resource")
  (#eq? @_new "new"))
((call receiver: (constant) @_package method: (identifier) @_new arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (binary) (instance_variable)] @prefix)) @instance
  (#eq? @_package "HTTP")
  (#any-of? @_new "persistent" "base_uri"))
; HTTP.timeout(3), HTTP.auth("Bearer x"): what it returns makes requests itself
((call receiver: (constant) @_package method: (identifier) @_with) @instance
  (#eq? @_package "HTTP")
  (#any-of? @_with "timeout" "headers" "auth" "basic_auth" "accept" "follow" "via" "use" "cookies" "nodelay"))
((call
  receiver: [(constant) (scope_resolution)] @_package
  method: (identifier) @_new
  arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (binary) (instance_variable) (element_reference)] @prefix)) @instance
  (#any-of? @_package "Faraday" "Excon" "Faraday::Connection" "RestClient::Resource")
  (#eq? @_new "new"))
((call
  receiver: [(constant) (scope_resolution)] @_package
  method: (identifier) @_new
  arguments: (argument_list (pair key: (hash_key_symbol) @_url value: (_) @prefix))) @instance
  (#any-of? @_package "Faraday" "Faraday::Connection")
  (#eq? @_new "new")
  (#eq? @_url "url"))
; Faraday.new do |f| f.url_prefix = "http://users" end
((call
  receiver: (constant) @_package
  method: (identifier) @_new
  block: (_ body: (_ (assignment left: (call method: (identifier) @_base) right: (_) @prefix)))) @instance
  (#eq? @_package "Faraday")
  (#eq? @_new "new")
  (#any-of? @_base "url_prefix" "path_prefix"))

(class name: (constant) @bind superclass: (superclass (_) @_base)
  (#any-of? @_base "Faraday::Connection" "RestClient::Resource" "Excon::Connection")
  (#set! typed ""))

((call receiver: (_) @object method: (identifier) @method arguments: (argument_list . [(string) (identifier) (constant) (scope_resolution) (call) (binary) (instance_variable) (element_reference) (parenthesized_statements)] @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#not-any-of? @object "Faraday" "RestClient" "HTTParty" "HTTP" "Typhoeus" "Excon" "self.class")
  (#not-match? @object "^[A-Z]\\w*[a-z]\\w*$|::[A-Z]\\w*[a-z]\\w*$")
  (#set! style "resolve"))
; a class with a base_uri: it comes before every path
((call receiver: [(constant) (scope_resolution)] @object method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#match? @object "^[A-Z]\\w*[a-z]\\w*$|::[A-Z]\\w*[a-z]\\w*$")
  (#not-any-of? @object "Faraday" "RestClient" "HTTParty" "Typhoeus" "Excon"))
((call receiver: (_) @object method: (identifier) @method arguments: (argument_list (pair key: (hash_key_symbol) @_path value: (_) @path))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#eq? @_path "path")
  (#set! style "resolve"))

; conn.send(:get, "/x"), conn.public_send(method, path), conn.run_request(:get, "/x", nil, nil)
((call receiver: (_) @object method: (identifier) @_send arguments: (argument_list . (_) @method . (_) @path)) @site
  (#any-of? @_send "send" "public_send" "__send__" "run_request")
  (#not-any-of? @object "Faraday" "RestClient" "HTTParty" "HTTP" "Typhoeus" "Excon" "self.class")
  (#set! style "resolve"))
; excon.request(method: :get, path: "/x")
((call receiver: (_) @object method: (identifier) @_request arguments: (argument_list (pair)) @options) @site
  (#eq? @_request "request")
  (#set! path "path")
  (#set! verb "method")
  (#set! style "resolve"))

; RestClient::Resource.new("http://users")["/x"].get
((call receiver: (element_reference object: (_) @object (_) @path) method: (identifier) @method) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#set! style "below"))

; conn.post do |req| req.url "/x" end, conn.send(method) do |req| req.url path end
((call
  receiver: (_) @object
  method: (identifier) @method
  !arguments
  block: (_
    parameters: (block_parameters . (identifier) @_request)
    body: (_ (call receiver: (identifier) @_in method: (identifier) @_url arguments: (argument_list . (_) @path))))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#eq? @_url "url")
  (#eq? @_in @_request)
  (#set! style "resolve"))
((call
  receiver: (_) @object
  method: (identifier) @_send
  arguments: (argument_list . (_) @method .)
  block: (_
    parameters: (block_parameters . (identifier) @_request)
    body: (_ (call receiver: (identifier) @_in method: (identifier) @_url arguments: (argument_list . (_) @path))))) @site
  (#any-of? @_send "send" "public_send" "__send__")
  (#eq? @_url "url")
  (#eq? @_in @_request)
  (#set! style "resolve"))

; class Users; include HTTParty; base_uri "http://users"; get("/x"), self.class.get("/x"), Users.get("/x")
((class body: (body_statement (call method: (identifier) @_base arguments: (argument_list . (_) @prefix)))) @scope
  (#eq? @_base "base_uri"))
(class name: (_) @bind body: (body_statement (call method: (identifier) @_base arguments: (argument_list . (_) @prefix)))
  (#eq? @_base "base_uri"))
((class body: (body_statement
  (call method: (identifier) @_base)
  [(method body: (body_statement [
      (call !receiver method: (identifier) @method arguments: (argument_list . (_) @path)) @site
      (_ right: (call !receiver method: (identifier) @method arguments: (argument_list . (_) @path)) @site)]))
   (singleton_method body: (body_statement [
      (call !receiver method: (identifier) @method arguments: (argument_list . (_) @path)) @site
      (_ right: (call !receiver method: (identifier) @method arguments: (argument_list . (_) @path)) @site)]))]))
  (#eq? @_base "base_uri")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head"))
((call
  receiver: (call receiver: (self) method: (identifier) @_class)
  method: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_class "class")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head"))
((call
  receiver: (call receiver: (self) method: (identifier) @_class)
  method: (identifier) @_send
  arguments: (argument_list . (_) @method . (_) @path)) @site
  (#eq? @_class "class")
  (#any-of? @_send "send" "public_send" "__send__"))
