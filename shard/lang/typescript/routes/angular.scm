; framework: angular   needs: "HttpClient" "angular/http'" "HttpService" "HTTP_INTERCEPTORS" "withInterceptors("   emits: http.consumes

; What is injected as a client: Angular's, and NestJS's, which has the same methods.
(formal_parameters (_ pattern: (identifier) @bind type: (type_annotation (type_identifier) @_type))
  (#any-of? @_type "HttpClient" "Http" "AuthHttp" "HttpService"))
(public_field_definition name: (_) @bind type: (type_annotation (type_identifier) @_type)
  (#any-of? @_type "HttpClient" "Http" "HttpService"))
((call_expression function: (identifier) @_inject arguments: (arguments . (identifier) @_type)) @instance
  (#eq? @_inject "inject")
  (#any-of? @_type "HttpClient" "HttpService"))
((call_expression function: (identifier) @_inject arguments: (arguments . (identifier) @_type)) @instance
  (#eq? @_inject "inject")
  (#eq? @_type "HttpClient"))
(variable_declarator name: (identifier) @bind type: (type_annotation (type_identifier) @_type)
  (#eq? @_type "HttpClient"))

; this.http.get<User>(url), this.http.request("GET", url)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options" "jsonp"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (string) @method . (_) @path)) @site
  (#eq? @_request "request"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (_) @options)) @site
  (#eq? @_request "request")
  (#set! path "url")
  (#set! verb "method")
  (#set! base "baseURL")
  (#set! default "GET"))
