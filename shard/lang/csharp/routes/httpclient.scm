; framework: httpclient   needs: "ttpClient" "AddRefitClient" "HttpRequestMessage" "WebRequest" "CreateClient" "DownloadString" "FromJsonAsync" "AsJsonAsync"   emits: http.consumes

; What is a client: fields, properties, variables and parameters of that type, what a factory makes.
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind)
  (#match? @_type "(^|\\.)HttpClient\\??$"))
(property_declaration type: (_) @_type name: (identifier) @bind
  (#match? @_type "(^|\\.)HttpClient\\??$"))
(parameter type: (_) @_type name: (identifier) @bind
  (#match? @_type "(^|\\.)HttpClient\\??$"))
(variable_declarator name: (identifier) @bind (object_creation_expression type: (_) @_type)
  (#match? @_type "(^|\\.)HttpClient$"))
(variable_declarator name: (identifier) @bind
  (invocation_expression function: (member_access_expression name: (identifier) @_create))
  (#any-of? @_create "CreateClient" "CreateHttpClient" "CreateInvokeHttpClient"))
((invocation_expression function: (member_access_expression name: (identifier) @_create)) @instance
  (#any-of? @_create "CreateClient" "CreateHttpClient" "CreateInvokeHttpClient"))

(class_declaration name: (identifier) @bind (base_list . (_) @_base)
  (#match? @_base "(^|\\.)HttpClient$")
  (#set! typed ""))

; Its base: client.BaseAddress = url, new HttpClient { BaseAddress = url }
((assignment_expression
  left: (member_access_expression expression: (_) @bind name: (identifier) @_base)
  right: (_) @prefix)
  (#eq? @_base "BaseAddress"))
((variable_declarator
  name: (identifier) @bind
  [
    (object_creation_expression initializer: (initializer_expression (assignment_expression
      left: (identifier) @_base
      right: (_) @prefix)))
    (implicit_object_creation_expression (initializer_expression (assignment_expression
      left: (identifier) @_base
      right: (_) @prefix)))])
  (#eq? @_base "BaseAddress"))
((object_creation_expression initializer: (initializer_expression (assignment_expression
    left: (identifier) @_base
    right: (_) @prefix))) @instance
  (#eq? @_base "BaseAddress"))
((block
  (expression_statement (assignment_expression
    left: (member_access_expression expression: (identifier) @_given name: (identifier) @_base)
    right: (_) @prefix))
  (expression_statement (assignment_expression left: (_) @bind right: (identifier) @_kept)))
  (#eq? @_base "BaseAddress")
  (#eq? @_kept @_given))
((block
  (expression_statement (assignment_expression left: (_) @bind right: (identifier) @_kept))
  (expression_statement (assignment_expression
    left: (member_access_expression expression: (identifier) @_given name: (identifier) @_base)
    right: (_) @prefix)))
  (#eq? @_base "BaseAddress")
  (#eq? @_kept @_given))

; client.GetAsync(url), client.GetFromJsonAsync<T>(url)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [
    (identifier) @method
    (generic_name (identifier) @method)])
  arguments: (argument_list . (argument) @path)) @site
  (#match? @method "^((Get|Post|Put|Delete|Patch)Async|Get(String|Stream|ByteArray)Async|(Get|Delete)FromJson(AsAsyncEnumerable|Async)|(Post|Put|Patch)AsJsonAsync)$"))

; One of another file: by a method that nothing else has, or by its name.
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [
    (identifier) @method
    (generic_name (identifier) @method)])
  arguments: (argument_list . (argument) @path)) @site
  (#match? @method "^((Get|Delete)FromJson(AsAsyncEnumerable|Async)|(Post|Put|Patch)AsJsonAsync)$")
  (#not-match? @object "(?i)test|mock|fixture")
  (#set! anyone ""))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (identifier) @method)
  arguments: (argument_list . (argument) @path)) @site
  (#match? @method "^((Get|Post|Put|Delete|Patch)Async|Get(String|Stream|ByteArray)Async)$")
  (#match? @object "^(this\\.)?_?([hH]ttpClient|[hH]ttp|[cC]lient|[aA]piClient|\\w+\\.HttpClient)$|\\.Create(Http)?Client\\(.*\\)$|^new HttpClient\\(")
  (#not-match? @object "(?i)test|mock|fixture")
  (#set! anyone ""))

; new HttpRequestMessage(HttpMethod.Post, url), { Method = HttpMethod.Put, RequestUri = url }
((object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument) @method . (argument) @path)) @site
  (#match? @_type "^(System\\.Net\\.Http\\.)?HttpRequestMessage$"))
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @path))) @site
  (#match? @_type "(^|\\.)HttpRequestMessage$")
  (#eq? @_key "RequestUri")
  (#set! default "GET"))
((object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @method))) @site
  (#match? @_type "(^|\\.)HttpRequestMessage$")
  (#eq? @_key "Method"))

; request.RequestUri = url, with the method of the object: request.Method = HttpMethod.Put
(variable_declarator name: (identifier) @bind (object_creation_expression type: (_) @_type)
  (#match? @_type "(^|\\.)HttpRequestMessage$"))
(variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind (implicit_object_creation_expression))
  (#match? @_type "(^|\\.)HttpRequestMessage$"))
((variable_declarator name: (identifier) @bind (object_creation_expression
  type: (_) @_type
  arguments: (argument_list . (argument) @method)))
  (#match? @_type "(^|\\.)HttpRequestMessage$"))
((variable_declarator name: (identifier) @bind (object_creation_expression
  type: (_) @_type
  initializer: (initializer_expression (assignment_expression left: (identifier) @_key right: (_) @method))))
  (#match? @_type "(^|\\.)HttpRequestMessage$")
  (#eq? @_key "Method"))
((assignment_expression
  left: (member_access_expression expression: (_) @bind name: (identifier) @_key)
  right: (_) @method)
  (#eq? @_key "Method"))
((assignment_expression
  left: (member_access_expression expression: (_) @object name: (identifier) @_key)
  right: (_) @path) @site
  (#eq? @_key "RequestUri")
  (#set! default "GET"))

; WebRequest.Create(url); request.Method = "POST"
((invocation_expression
  function: (member_access_expression expression: (identifier) @_type name: (identifier) @_create)
  arguments: (argument_list . (argument) @path .)) @site
  (#any-of? @_type "WebRequest" "HttpWebRequest")
  (#any-of? @_create "Create" "CreateHttp")
  (#set! default "GET"))
((block
  (local_declaration_statement (variable_declaration (variable_declarator
    name: (identifier) @_request
    [
      (invocation_expression function: (member_access_expression expression: (identifier) @_type)) @site
      (cast_expression value: (invocation_expression
        function: (member_access_expression expression: (identifier) @_type)) @site)])))
  (expression_statement (assignment_expression
    left: (member_access_expression expression: (identifier) @_used name: (identifier) @_key)
    right: (_) @method)))
  (#any-of? @_type "WebRequest" "HttpWebRequest")
  (#eq? @_used @_request)
  (#eq? @_key "Method"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_call)
  arguments: (argument_list . (argument) @path)) @site
  (#match? @_call "^Download(String|Data)(TaskAsync|Async)?$")
  (#set! method "GET"))

; AddHttpClient<Users>(c => c.BaseAddress = url): the service of all that is in that type, or of the client of that name
((invocation_expression
  function: (member_access_expression name: (generic_name
    (identifier) @_add
    (type_argument_list (identifier) @class)))
  arguments: (argument_list (argument (lambda_expression body: [
    (assignment_expression left: (member_access_expression name: (identifier) @_base) right: (_) @service)
    (block (expression_statement (assignment_expression
      left: (member_access_expression name: (identifier) @_base)
      right: (_) @service)))]))))
  (#eq? @_add "AddHttpClient")
  (#eq? @_base "BaseAddress"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_add)
  arguments: (argument_list . (argument (string_literal (string_literal_content) @class)) (argument (lambda_expression body: [
    (assignment_expression left: (member_access_expression name: (identifier) @_base) right: (_) @service)
    (block (expression_statement (assignment_expression
      left: (member_access_expression name: (identifier) @_base)
      right: (_) @service)))]))))
  (#eq? @_add "AddHttpClient")
  (#eq? @_base "BaseAddress"))
((invocation_expression
  function: (member_access_expression
    expression: (invocation_expression function: (member_access_expression name: (generic_name
      (identifier) @_add
      (type_argument_list (identifier) @class))))
    name: (identifier) @_configure)
  arguments: (argument_list (argument (lambda_expression body: [
    (assignment_expression left: (member_access_expression name: (identifier) @_base) right: (_) @service)
    (block (expression_statement (assignment_expression
      left: (member_access_expression name: (identifier) @_base)
      right: (_) @service)))]))))
  (#any-of? @_add "AddHttpClient" "AddRefitClient")
  (#eq? @_configure "ConfigureHttpClient")
  (#eq? @_base "BaseAddress"))

; new UsersService(DaprClient.CreateInvokeHttpClient("users-api")): that application is who its requests go to
((object_creation_expression
  type: (identifier) @class
  arguments: (argument_list (argument (invocation_expression
    function: (member_access_expression name: (identifier) @_make)
    arguments: (argument_list . (argument) @service)))))
  (#eq? @_make "CreateInvokeHttpClient"))
