; framework: aspnet   needs: "HttpGet" "HttpPost" "HttpPut" "HttpDelete" "HttpPatch" "AcceptVerbs" "[Route(" ", Route(" ": Controller"   emits: http.provides

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
  (#set! append "/[controller]/[action]")
  (#set! method "ANY"))
