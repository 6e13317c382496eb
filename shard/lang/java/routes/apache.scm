; framework: apache-httpclient   needs: "org.apache.http" "org.apache.hc"   emits: http.consumes

; new HttpGet(url); ClassicRequestBuilder.get(url), Request.post(url); .setUri(url), setURI(url) later
((object_creation_expression
  type: (type_identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#match? @method "^Http(Get|Post|Put|Delete|Patch|Head|Options)$"))
((method_invocation
  object: (identifier) @_type
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#any-of? @_type "Request" "RequestBuilder" "ClassicRequestBuilder" "SimpleRequestBuilder" "AsyncRequestBuilder"
    "SimpleHttpRequests")
  (#match? @method "^(?i)(get|post|put|delete|patch|head)$"))
((method_invocation
  object: (method_invocation object: (identifier) @_type name: (identifier) @method arguments: (argument_list)) @site
  name: (identifier) @_uri
  arguments: (argument_list . (_) @path))
  (#match? @_type "RequestBuilder$")
  (#match? @method "^(get|post|put|delete|patch|head)$")
  (#eq? @_uri "setUri"))
