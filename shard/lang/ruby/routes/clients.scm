; framework: ruby-http   needs: "Faraday" "RestClient" "HTTP." "Typhoeus" "Excon" "HTTParty"   emits: http.consumes

; Faraday.get(url), RestClient.post(url, ...), HTTParty.get(url), HTTP.get(url), HTTP.auth(x).get(url)
((call receiver: (constant) @_package method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#any-of? @_package "Faraday" "RestClient" "HTTParty" "HTTP" "Typhoeus" "Excon")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))
((call receiver: (call receiver: (constant) @_package) method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#eq? @_package "HTTP")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options"))

; RestClient::Request.execute(method: :get, url: url)
((call
  receiver: (scope_resolution) @_request
  method: (identifier) @_execute
  arguments: (argument_list (pair key: (hash_key_symbol) @_url value: (_) @path))) @site
  (#eq? @_request "RestClient::Request")
  (#any-of? @_execute "execute" "new")
  (#eq? @_url "url"))
((call
  receiver: (scope_resolution) @_request
  method: (identifier) @_execute
  arguments: (argument_list (pair key: (hash_key_symbol) @_method value: (simple_symbol) @method))) @site
  (#eq? @_request "RestClient::Request")
  (#any-of? @_execute "execute" "new")
  (#eq? @_method "method"))

; conn = Faraday.new("http://users"), Faraday.new(url: "http://users"), @conn ||= Faraday.new, def conn
(assignment
  left: [(identifier) (instance_variable) (constant)] @bind
  right: (call receiver: (constant) @_package method: (identifier) @_new)
  (#any-of? @_package "Faraday" "Excon")
  (#eq? @_new "new"))
(_
  left: [(identifier) (instance_variable) (constant)] @bind
  right: (call
    receiver: (constant) @_package
    method: (identifier) @_new
    arguments: (argument_list . [(string) (identifier) (constant) (call) (binary) (instance_variable)] @prefix))
  (#any-of? @_package "Faraday" "Excon")
  (#eq? @_new "new"))
(_
  left: [(identifier) (instance_variable) (constant)] @bind
  right: (call
    receiver: (constant) @_package
    method: (identifier) @_new
    arguments: (argument_list (pair key: (hash_key_symbol) @_url value: (_) @prefix)))
  (#eq? @_package "Faraday")
  (#eq? @_new "new")
  (#eq? @_url "url"))
(method
  name: (identifier) @bind
  body: (body_statement [
    (call
      receiver: (constant) @_package
      arguments: (argument_list . [(string) (identifier) (constant) (binary) (instance_variable)] @prefix))
    (_ right: (call
      receiver: (constant) @_package
      arguments: (argument_list . [(string) (identifier) (constant) (binary) (instance_variable)] @prefix)))])
  (#eq? @_package "Faraday"))
(method
  name: (identifier) @bind
  body: (body_statement [
    (call
      receiver: (constant) @_package
      arguments: (argument_list (pair key: (hash_key_symbol) @_url value: (_) @prefix)))
    (_ right: (call
      receiver: (constant) @_package
      arguments: (argument_list (pair key: (hash_key_symbol) @_url value: (_) @prefix))))])
  (#eq? @_package "Faraday")
  (#eq? @_url "url"))
((call receiver: [(identifier) (instance_variable) (constant)] @object method: (identifier) @method arguments: (argument_list . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#not-any-of? @object "Faraday" "RestClient" "HTTParty" "HTTP" "Typhoeus" "Excon")
  (#set! style "resolve"))

; conn.post do |req| req.url "/x" end
((call
  receiver: [(identifier) (instance_variable) (constant)] @object
  method: (identifier) @method
  !arguments
  block: (_
    parameters: (block_parameters . (identifier) @_request)
    body: (_ (call receiver: (identifier) @_in method: (identifier) @_url arguments: (argument_list . (_) @path))))) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head")
  (#eq? @_url "url")
  (#eq? @_in @_request)
  (#set! style "resolve"))

; class Users; include HTTParty; base_uri "http://users"; get("/x"), self.class.get("/x")
((class body: (body_statement (call method: (identifier) @_base arguments: (argument_list . (_) @prefix)))) @scope
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
