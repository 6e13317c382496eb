; framework: guzzle   needs: "Guzzle" "HttpClient" "ClientInterface" "PendingRequest" "Psr7" "createRequest("   emits: http.consumes

; $client = new Client(["base_uri" => "http://users"]), HttpClient::createForBaseUri("http://users"), $client->withOptions(["base_uri" => ...])
((object_creation_expression [(name) (qualified_name)] @_type) @instance
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$"))
((scoped_call_expression scope: (_) @_type name: (name) @_create) @instance
  (#match? @_type "HttpClient$")
  (#any-of? @_create "create" "createForBaseUri"))
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @bind
  right: (_ (arguments (argument (array_creation_expression (array_element_initializer . (_) @_key . (_) @prefix .)))))
  (#match? @_key "^['\"]base_ur[il]['\"]$"))
((scoped_call_expression scope: (_) @_type name: (name) @_create arguments: (arguments . (argument (_) @prefix .))) @instance
  (#match? @_type "HttpClient$")
  (#eq? @_create "createForBaseUri"))
(return_statement (object_creation_expression [(name) (qualified_name)] @_type
    (arguments (argument (array_creation_expression (array_element_initializer . (_) @_key . (_) @prefix .))))) @instance
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$")
  (#match? @_key "^['\"]base_ur[il]['\"]$"))
(parenthesized_expression (object_creation_expression [(name) (qualified_name)] @_type
    (arguments (argument (array_creation_expression (array_element_initializer . (_) @_key . (_) @prefix .))))) @instance
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$")
  (#match? @_key "^['\"]base_ur[il]['\"]$"))
(property_declaration type: (_) @_type (property_element name: (variable_name (name) @bind))
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$"))
(property_promotion_parameter type: (_) @_type name: (variable_name (name) @bind)
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$"))
(simple_parameter type: (_) @_type name: (variable_name) @bind
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$"))

(class_declaration name: (name) @bind (base_clause . [(name) (qualified_name)] @_base)
  (#match? @_base "(^|\\\\)(Guzzle[A-Za-z]*|Client)$")
  (#set! typed ""))

; $client->get(url), $client->postAsync(url), $client->request("GET", url)
((member_call_expression
  object: [(variable_name) (member_access_expression) (scoped_property_access_expression) (parenthesized_expression)] @object name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#match? @method "^(get|post|put|patch|delete|head)(Async)?$")
  (#set! style "rfc"))
((member_call_expression
  object: (_) @object name: (name) @_request
  arguments: (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#any-of? @_request "request" "requestAsync")
  (#set! style "rfc"))
((member_call_expression
  object: (_) @object name: (name) @_request
  arguments: (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#any-of? @_request "request" "requestAsync")
  (#match? @method "^['\"](?i:get|post|put|patch|delete|head)['\"]$|^(Request|Psr7.*)::METHOD_")
  (#set! style "rfc")
  (#set! anyone "foreign"))

; $client->$verb(url), $client->{$verb}(url)
((member_call_expression
  object: (_) @object name: (variable_name) @method
  arguments: (arguments . (argument (_) @path))) @site
  (#set! style "rfc"))

; $this->getHttpClient()->get(url), whose method says the type that it returns
((member_call_expression
  object: (member_call_expression) @object name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#match? @method "^(get|post|put|patch|delete|head)(Async)?$")
  (#set! style "rfc"))
(method_declaration return_type: (_) @_type body: (compound_statement (return_statement (_) @instance))
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|[A-Za-z]*ClientInterface|PendingRequest)$"))
; parent::request("GET", url) of a class that is a client itself
((scoped_call_expression
  scope: (relative_scope) @object name: (name) @_request
  arguments: (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#eq? @object "parent")
  (#any-of? @_request "request" "requestAsync")
  (#set! style "rfc"))

; (new Client())->get(url)
((member_call_expression
  object: (parenthesized_expression (object_creation_expression [(name) (qualified_name)] @_type)) name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#match? @_type "(^|[?|\\\\])([A-Za-z]*HttpClient|HttpMethodsClient|Guzzle[A-Za-z]*|Client|Http|[A-Za-z]*ClientInterface|PendingRequest)$")
  (#match? @method "^(get|post|put|patch|delete|head)(Async)?$"))

; new Request("GET", url), $factory->createRequest("GET", url)
((object_creation_expression [(name) (qualified_name)] @_request
  (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#match? @_request "(^|\\\\)Request$")
  (#not-match? @method "^['\"](?!(?i:get|post|put|patch|delete|head|options)['\"])"))
((member_call_expression
  name: (name) @_create
  arguments: (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#eq? @_create "createRequest")
  (#not-match? @method "^['\"](?!(?i:get|post|put|patch|delete|head|options)['\"])"))
