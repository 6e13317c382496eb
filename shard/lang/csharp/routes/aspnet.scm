; framework: aspnet   needs: "HttpGet" "HttpPost" "HttpPut" "HttpDelete" "HttpPatch" "AcceptVerbs" "[Route(" ", Route(" ": Controller" "RouteAttribute" "IRouteTemplateProvider" "IActionHttpMethodProvider" "HttpMethodAttribute" "UsePathBase(" ".Conventions." ".MapControllers()"   emits: http.provides

; [Route("api/[controller]")] on the class
((class_declaration
  (attribute_list (attribute
    name: (_) @_route
    (attribute_argument_list . (attribute_argument (_) @prefix .))))) @scope
  (#match? @_route "(^|\\.)Route$"))

; a class answers what its bases do, too
((class_declaration) @scope
  (#set! counts ""))
(class_declaration (base_list [
  (identifier) @class
  (generic_name . (identifier) @class)
  (qualified_name) @class
  (primary_constructor_base_type type: [(identifier) (qualified_name)] @class)
  (primary_constructor_base_type type: (generic_name . (identifier) @class))])) @scope

; an attribute of this repository: its type derives from one of the framework, or has the members of its interfaces
((class_declaration
  (attribute_list (attribute name: (_) @class))) @scope
  (#not-match? @class "(^|\\.)(Route|ApiController|Authorize|AllowAnonymous|Produces|Consumes|Area|ApiVersion|Tags|Obsolete|Serializable|AttributeUsage)$")
  (#set! composed "Attribute"))
((method_declaration
  (attribute_list (attribute name: (_) @class) @site)
  name: (identifier) @handler)
  (#not-match? @class "(^|\\.)(Http(Get|Post|Put|Delete|Patch|Head|Options)|AcceptVerbs|Route|Produces|ProducesResponseType|Consumes|Authorize|AllowAnonymous|NonAction|Fact|Theory|Test|TestCase|InlineData|Obsolete|SwaggerOperation|ValidateAntiForgeryToken)$")
  (#set! composed "Attribute")
  (#set! style "aspnet")
  (#set! derived "")
  (#set! bare ""))
((class_declaration
  (base_list (identifier) @method)) @scope
  (#match? @method "^Http(Get|Post|Put|Delete|Patch|Head|Options)Attribute$"))
((class_declaration
  (base_list (identifier) @_is)
  body: (declaration_list (constructor_declaration
    (constructor_initializer (argument_list . (argument (_) @prefix .))) @_to))) @scope
  (#match? @_is "^(Http(Get|Post|Put|Delete|Patch|Head|Options)|Route)Attribute$")
  (#match? @_to "^:\\s*base"))
((class_declaration
  (base_list . (identifier) @_is . (argument_list . (argument (_) @prefix .)))) @scope
  (#match? @_is "^(Http(Get|Post|Put|Delete|Patch|Head|Options)|Route)Attribute$"))
((class_declaration
  (base_list (identifier) @_is)
  body: (declaration_list (constructor_declaration
    (constructor_initializer (argument_list . (argument (_) @method .))) @_to))) @scope
  (#eq? @_is "HttpMethodAttribute")
  (#match? @_to "^:\\s*base"))
((class_declaration
  (base_list (identifier) @_is)
  body: (declaration_list (constructor_declaration
    (constructor_initializer (argument_list . (argument) . (argument (_) @prefix .))) @_to))) @scope
  (#eq? @_is "HttpMethodAttribute")
  (#match? @_to "^:\\s*base"))
((class_declaration
  (base_list (identifier) @_is)) @scope
  (#eq? @_is "IRouteTemplateProvider")
  (#set! template "Template"))
((class_declaration
  (base_list (identifier) @_is)) @scope
  (#eq? @_is "IActionHttpMethodProvider")
  (#set! methods "HttpMethods"))

; [HttpGet], [HttpGet("{id}")]
((method_declaration
  (attribute_list (attribute name: (_) @method) @site)
  name: (identifier) @handler)
  (#match? @method "(^|\\.)Http(Get|Post|Put|Delete|Patch|Head|Options)$")
  (#set! style "aspnet")
  (#set! derived "")
  (#set! bare ""))
((method_declaration
  (attribute_list (attribute
    name: (_) @_verb
    (attribute_argument_list . (attribute_argument . (_) @path .))) @site))
  (#match? @_verb "(^|\\.)Http(Get|Post|Put|Delete|Patch|Head|Options)$"))
((method_declaration
  (attribute_list (attribute
    name: (_) @_verb
    (attribute_argument_list (attribute_argument name: (identifier) @_key (_) @path .))) @site))
  (#match? @_verb "(^|\\.)Http(Get|Post|Put|Delete|Patch|Head|Options)$")
  (#eq? @_key "template"))

; [Route("x")] on the method, beside its verb
((method_declaration
  (attribute_list (attribute name: (_) @_verb) @site)
  (attribute_list (attribute
    name: (_) @_route
    (attribute_argument_list . (attribute_argument (_) @path .)))))
  (#match? @_verb "(^|\\.)(Http(Get|Post|Put|Delete|Patch|Head|Options)|AcceptVerbs)$")
  (#match? @_route "(^|\\.)Route$"))
((method_declaration
  (attribute_list (attribute
    name: (_) @_route
    (attribute_argument_list . (attribute_argument (_) @path .))))
  (attribute_list (attribute name: (_) @_verb) @site))
  (#match? @_verb "(^|\\.)(Http(Get|Post|Put|Delete|Patch|Head|Options)|AcceptVerbs)$")
  (#match? @_route "(^|\\.)Route$"))
((method_declaration (attribute_list
  (attribute name: (_) @_verb) @site
  (attribute
    name: (_) @_route
    (attribute_argument_list . (attribute_argument (_) @path .)))))
  (#match? @_verb "(^|\\.)(Http(Get|Post|Put|Delete|Patch|Head|Options)|AcceptVerbs)$")
  (#match? @_route "(^|\\.)Route$"))
((method_declaration (attribute_list
  (attribute
    name: (_) @_route
    (attribute_argument_list . (attribute_argument (_) @path .)))
  (attribute name: (_) @_verb) @site))
  (#match? @_verb "(^|\\.)(Http(Get|Post|Put|Delete|Patch|Head|Options)|AcceptVerbs)$")
  (#match? @_route "(^|\\.)Route$"))

; without a verb: any
((method_declaration
  (attribute_list (attribute
    name: (_) @_route
    (attribute_argument_list . (attribute_argument (_) @path .))) @site)
  name: (identifier) @handler) @_all
  (#match? @_route "(^|\\.)Route$")
  (#not-match? @_all "(?m)^\\s*\\[.*\\b(Http(Get|Post|Put|Delete|Patch|Head|Options)|AcceptVerbs)\\b")
  (#set! style "aspnet")
  (#set! derived "")
  (#set! method "ANY"))

; [AcceptVerbs("GET", "POST", Route = "x")]
((method_declaration
  (attribute_list (attribute
    name: (_) @_verb
    (attribute_argument_list (attribute_argument . (string_literal) @method .))) @site)
  name: (identifier) @handler)
  (#match? @_verb "(^|\\.)AcceptVerbs$")
  (#set! style "aspnet")
  (#set! derived "")
  (#set! bare ""))
((method_declaration
  (attribute_list (attribute
    name: (_) @_verb
    (attribute_argument_list (attribute_argument name: (identifier) @_key (_) @path .))) @site))
  (#match? @_verb "(^|\\.)AcceptVerbs$")
  (#eq? @_key "Route"))

; By convention, in a class without a route of its own: /controller/action
((class_declaration
  (base_list (identifier) @_base)
  body: (declaration_list (method_declaration
    (attribute_list (attribute name: (_) @_verb .) @site)) @_method)) @_class
  (#eq? @_base "Controller")
  (#match? @_verb "(^|\\.)Http(Get|Post|Put|Delete|Patch|Head|Options)$")
  (#not-match? @_method "^(\\s*\\[.*\\])*\\s*\\[.*\\bRoute\\(")
  (#not-match? @_class "^[^{]*\\[.*\\bRoute\\(")
  (#set! only "")
  (#set! append "/[controller]/[action]"))
((class_declaration
  (base_list (identifier) @_base)
  body: (declaration_list (method_declaration
    (modifier) @_public
    returns: (_) @_returns
    name: (identifier) @site @handler) @_method)) @_class
  (#eq? @_base "Controller")
  (#eq? @_public "public")
  (#match? @_returns "(ActionResult|ViewResult|JsonResult|ContentResult)(<.*>)?>?$")
  (#not-match? @_method "(?m)^\\s*\\[.*\\b(Http\\w+|Route|AcceptVerbs|NonAction)\\b")
  (#not-match? @_class "^[^{]*\\[.*\\bRoute\\(")
  (#set! style "aspnet")
  (#set! derived "")
  (#set! only "")
  (#set! append "/[controller]/[action]")
  (#set! method "ANY"))

; app.UsePathBase("/shop"): for all routes of the program
((invocation_expression
  function: (member_access_expression name: (identifier) @_base)
  arguments: (argument_list . (argument) @prefix .))
  (#eq? @_base "UsePathBase")
  (#set! style "loose")
  (#set! global ""))
((invocation_expression
  function: (member_access_expression
    expression: (invocation_expression
      function: (member_access_expression name: (identifier) @_group)
      arguments: (argument_list . (argument) @prefix .))
    name: (identifier) @_map))
  (#eq? @_group "MapGroup")
  (#eq? @_map "MapControllers")
  (#set! style "loose")
  (#set! global ""))
; options.Conventions.Insert(0, new RoutePrefix("api")): a convention that puts its argument before the routes
((invocation_expression
  function: (member_access_expression
    expression: (member_access_expression name: (identifier) @_conventions)
    name: (identifier) @_add)
  arguments: (argument_list (argument (object_creation_expression
    type: (identifier) @_type
    arguments: (argument_list . (argument) @prefix .)))))
  (#eq? @_conventions "Conventions")
  (#any-of? @_add "Add" "Insert")
  (#match? @_type "Prefix")
  (#set! style "loose")
  (#set! global ""))
