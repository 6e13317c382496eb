; framework: symfony   needs: "Route(" "Route;" "@Rest" "Rest\\" "RoutingConfigurator" "RouteAttributes"   emits: http.provides

; #[Route("/users/{id}", methods: ["GET"])] on a method, below that of its class
((method_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route parameters: (arguments . (argument . [(string) (encapsed_string) (class_constant_access_expression) (binary_expression)] @path .))) @site))
  name: (name) @handler)
  (#match? @_route "(^|\\\\)Route$")
  (#set! default "ANY")
  (#set! style "loose")
  (#set! derived ""))
((method_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route parameters: (arguments (argument name: (name) @_path (_) @path .))) @site))
  name: (name) @handler)
  (#match? @_route "(^|\\\\)Route$")
  (#eq? @_path "path")
  (#set! default "ANY")
  (#set! style "loose")
  (#set! derived ""))
((method_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route !parameters) @site))
  name: (name) @handler)
  (#match? @_route "(^|\\\\)Route$")
  (#set! default "ANY")
  (#set! bare "")
  (#set! derived ""))
((method_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route parameters: (arguments) @_arguments) @site))
  name: (name) @handler)
  (#match? @_route "(^|\\\\)Route$")
  (#not-match? @_arguments "^\\(\\s*([\"'A-Z]|path:|self::)|\\bpath:")
  (#set! default "ANY")
  (#set! bare "")
  (#set! derived ""))
((attribute
  [(name) (qualified_name)] @_route
  parameters: (arguments (argument name: (name) @_methods [(string) @method (class_constant_access_expression) @method (array_creation_expression (array_element_initializer (_) @method))] .))) @site
  (#match? @_route "(^|\\\\)Route$")
  (#eq? @_methods "methods"))
; a class that is a handler
((class_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route) @site))
  body: (declaration_list (method_declaration name: (name) @handler)))
  (#match? @_route "(^|\\\\)Route$")
  (#eq? @handler "__invoke")
  (#set! default "ANY")
  (#set! bare ""))
((class_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route parameters: (arguments . (argument . [(string) (encapsed_string) (class_constant_access_expression) (binary_expression)] @prefix .)))))) @scope
  (#match? @_route "(^|\\\\)Route$")
  (#set! style "loose"))
((class_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route parameters: (arguments (argument name: (name) @_path (_) @prefix .)))))) @scope
  (#match? @_route "(^|\\\\)Route$")
  (#any-of? @_path "path" "prefix")
  (#set! style "loose"))

; a class answers what its bases and traits do, too
((class_declaration) @scope
  (#set! counts ""))
(class_declaration (base_clause [(name) (qualified_name)] @class)) @scope
(class_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @class))) @scope
(trait_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @class))) @scope

; #[Get("/users")], #[Rest\Post("/users")]
((method_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) @method (qualified_name (name) @method)] parameters: (arguments . (argument . [(string) (encapsed_string)] @path .))) @site))
  name: (name) @handler)
  (#any-of? @method "Get" "Post" "Put" "Patch" "Delete")
  (#set! style "loose")
  (#set! derived ""))
((method_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) @method (qualified_name (name) @method)] parameters: (arguments (argument name: (name) @_path (_) @path .))) @site))
  name: (name) @handler)
  (#any-of? @method "Get" "Post" "Put" "Patch" "Delete")
  (#any-of? @_path "path" "uri")
  (#set! style "loose")
  (#set! derived ""))

; The same in the comment before it: @Route("/users/{id}", methods={"GET"}), @Rest\Get("/users")
((declaration_list (comment) @site @path . (method_declaration name: (name) @handler))
  (#match? @path "@(\\w+\\\\)*(Route|Get|Post|Put|Patch|Delete)\\(")
  (#set! default "ANY")
  (#set! word "")
  (#set! style "docroute")
  (#set! derived ""))
((comment) @_doc . (class_declaration body: (declaration_list (method_declaration name: (name) @handler) @site))
  (#match? @_doc "@(\\w+\\\\)*Route\\(")
  (#eq? @handler "__invoke")
  (#set! default "ANY")
  (#set! bare ""))
((comment) @prefix . (class_declaration) @scope
  (#match? @prefix "@(\\w+\\\\)*Route\\(")
  (#set! word "")
  (#set! style "docroute"))
((comment) @site
  (#match? @site "@(\\w+\\\\)*(Route\\([^)]*methods\\s*=\\s*(\\{[^}]*)?\"GET\"|Get\\(|Method\\([^)]*\"GET\")")
  (#set! method "GET"))
((comment) @site
  (#match? @site "@(\\w+\\\\)*(Route\\([^)]*methods\\s*=\\s*(\\{[^}]*)?\"POST\"|Post\\(|Method\\([^)]*\"POST\")")
  (#set! method "POST"))
((comment) @site
  (#match? @site "@(\\w+\\\\)*(Route\\([^)]*methods\\s*=\\s*(\\{[^}]*)?\"PUT\"|Put\\(|Method\\([^)]*\"PUT\")")
  (#set! method "PUT"))
((comment) @site
  (#match? @site "@(\\w+\\\\)*(Route\\([^)]*methods\\s*=\\s*(\\{[^}]*)?\"PATCH\"|Patch\\(|Method\\([^)]*\"PATCH\")")
  (#set! method "PATCH"))
((comment) @site
  (#match? @site "@(\\w+\\\\)*(Route\\([^)]*methods\\s*=\\s*(\\{[^}]*)?\"DELETE\"|Delete\\(|Method\\([^)]*\"DELETE\")")
  (#set! method "DELETE"))

; $routes->add("/users", ...): names, not paths; of a collection that PHP makes: $routes->add("users_list", "/users")->methods(["GET"])
((member_call_expression
  object: (_) @_routes name: (name) @_add
  arguments: (arguments . (argument (_)) . (argument (string) @path .) .)) @site
  (#match? @_routes "^\\$routes$")
  (#eq? @_add "add")
  (#match? @path "^['\"]/")
  (#set! default "ANY"))

; $routes->import("../src/Controller/", "attribute")->prefix("/api"): all that are imported
((member_call_expression
  object: (_) @_import name: (name) @_prefix
  arguments: (arguments . (argument (_) @prefix .)))
  (#match? @_import "^\\$\\w+->import\\(")
  (#eq? @_prefix "prefix")
  (#set! style "loose")
  (#set! global ""))
; #[Prefix("api/users")] on a class (Spatie, for Laravel)
((class_declaration
  attributes: (attribute_list (attribute_group (attribute
    [(name) (qualified_name)] @_route parameters: (arguments . (argument . (_) @prefix .)))))) @scope
  (#match? @_route "(^|\\\\)Prefix$")
  (#set! style "loose"))
