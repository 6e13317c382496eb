; framework: slim   needs: "$app->" "$group->" "$router->" "$r->" "$g->" "RouteCollector" "slimApp"   unless: "Facades\\Route" "Facades\Route"   emits: http.provides

; $app->get("/users/{id}", Show::class): Slim, Lumen and their like; parts in brackets may be missing
((member_call_expression
  object: (variable_name) @_app @object name: (name) @method
  arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#any-of? @_app "$app" "$group" "$router" "$route" "$r" "$g" "$api")
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "any")
  (#match? @path "^['\"](/|\\[|['\"]$)|^\\$\\w*([pP]ath|[bB]ase|[pP]refix|[uU]r[li])|^[A-Za-z]+::|^\\$this->\\w+\\b[^(]*$")
  (#set! anyone "")
  (#set! style "brackets"))
((member_call_expression
  object: (variable_name) @_app @object name: (name) @method
  arguments: (arguments . (argument (string) @path .) . (argument [(string) (array_creation_expression) (anonymous_function)] @handler .))) @site
  (#eq? @_app "$router")
  (#any-of? @method "get" "post" "put" "patch" "delete" "options")
  (#not-match? @path "^['\"](/|\\[|['\"]$)")
  (#set! anyone "")
  (#set! style "brackets"))
((member_call_expression
  object: (_) @_app @object name: (name) @_map
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer (_) @method)))
    . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#match? @_app "^(\\$this->)?\\$?(app|slimApp|group|router|route|r|g|api)$")
  (#eq? @_map "map")
  (#set! anyone "")
  (#set! style "brackets"))
; $app->route("/users[/{id}]", Users::class, ["GET", "POST"], "users"): Mezzio
((member_call_expression
  object: (variable_name) @_app @object name: (name) @_route
  arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)
    . (argument (array_creation_expression (array_element_initializer (_) @method))))) @site
  (#eq? @_app "$app")
  (#eq? @_route "route")
  (#set! anyone "")
  (#set! style "brackets"))
; $r->addRoute("GET", "/users", ...): FastRoute
((member_call_expression
  object: (variable_name) @_r @object name: (name) @_add
  arguments: (arguments . (argument [(string) @method (variable_name) @method (subscript_expression) @method (array_creation_expression (array_element_initializer (_) @method))])
    . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#eq? @_add "addRoute")
  (#set! anyone "")
  (#set! style "brackets"))
; $app->group("/users", function (Group $group) { ... }), new Routes(), [Routes::class, "register"]: mounted on what calls it
((member_call_expression
  object: (_) @object name: (name) @_group
  arguments: (arguments . (argument (_) @prefix .) . (argument (_) @bind .)))
  (#any-of? @_group "group" "addGroup")
  (#not-match? @bind "^(static\\s+)?(function|fn)\\s*\\(\\s*\\)")
  (#set! style "brackets")
  (#set! invokes "__invoke"))
; $this->get("/users", ...) inside: Slim 3
((member_call_expression
  name: (name) @_group
  arguments: (arguments . (argument) . (argument (anonymous_function body: (compound_statement (expression_statement [
    (member_call_expression object: (variable_name) @_this name: (name) @method arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .))) @site
    (member_call_expression object: (member_call_expression object: (variable_name) @_this name: (name) @method arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .))) @site)]))))))
  (#any-of? @_group "group")
  (#eq? @_this "$this")
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "any")
  (#set! style "brackets"))
((member_call_expression
  name: (name) @_group
  arguments: (arguments . (argument) . (argument (anonymous_function body: (compound_statement (expression_statement [
    (member_call_expression object: (variable_name) @_this name: (name) @_map
      arguments: (arguments . (argument (array_creation_expression (array_element_initializer (_) @method))) . (argument (_) @path .) . (argument (_) @handler .))) @site
    (member_call_expression object: (member_call_expression object: (variable_name) @_this name: (name) @_map
      arguments: (arguments . (argument (array_creation_expression (array_element_initializer (_) @method))) . (argument (_) @path .) . (argument (_) @handler .))) @site)]))))))
  (#any-of? @_group "group")
  (#eq? @_this "$this")
  (#eq? @_map "map")
  (#set! style "brackets"))
; without a parameter, it uses the object around it
((member_call_expression
  object: (variable_name) name: (name) @_group
  arguments: (arguments . (argument [(string) (encapsed_string) (binary_expression) (class_constant_access_expression)] @prefix .) . (argument [(anonymous_function) (arrow_function)] @_routes .))) @scope
  (#any-of? @_group "group" "addGroup")
  (#match? @_routes "^(static\\s+)?(function|fn)\\s*\\(\\s*\\)")
  (#set! style "brackets"))
((member_call_expression
  object: (variable_name) name: (name) @_group
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @_key . (_) @prefix .))))) @scope
  (#eq? @_group "group")
  (#match? @_key "^[\"']prefix[\"']$")
  (#set! style "loose"))
; $app->setBasePath("/api")
((member_call_expression
  object: (variable_name) @_app name: (name) @_base
  arguments: (arguments . (argument (string) @prefix .)))
  (#eq? @_app "$app")
  (#eq? @_base "setBasePath")
  (#set! global ""))
; function (RouteCollectorProxy $users): whatever a group's closure calls it
(simple_parameter type: (_) @_type name: (variable_name) @bind
  (#match? @_type "(^|\\\\)(RouteCollectorProxy(Interface)?|RouteCollector|Group)$"))
((member_call_expression
  object: (variable_name) @object name: (name) @method
  arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#not-any-of? @object "$app" "$group" "$router" "$route" "$r" "$g" "$api" "$this")
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "any")
  (#match? @path "^['\"](/|\\[|['\"]$)")
  (#set! style "brackets"))
