; framework: cakephp   needs: "RouteBuilder" "Cake\\Routing" "Cake\Routing"   emits: http.provides

; $routes->connect("/users/{id}", ["controller" => "Users", "action" => "view"])
((member_call_expression
  object: (_) @_routes name: (name) @_connect
  arguments: (arguments . (argument (_) @path .) . (argument [(array_creation_expression) (string)]))) @site
  (#match? @_routes "^\\$\\w*([rR]outes?|[bB]uilder|router)$")
  (#eq? @_connect "connect")
  (#set! default "ANY")
  (#set! style "loose")
  (#set! anyone ""))
; ... , "_method" => "GET"
((member_call_expression
  object: (_) @_routes name: (name) @_connect
  arguments: (arguments . (argument) . (argument (array_creation_expression
    (array_element_initializer . (string) @_key . [(string) @method (array_creation_expression (array_element_initializer (_) @method))] .))))) @site
  (#eq? @_connect "connect")
  (#match? @_key "^['\"]_method['\"]$"))
; ->setMethods(["GET", "POST"]), anywhere behind
; each BEFORE BEHIND
;   |
;   (member_call_expression object: | )
;   (member_call_expression object: (member_call_expression object: | ))
;   (member_call_expression object: (member_call_expression object: (member_call_expression object: | )))
((member_call_expression
  object: $BEFORE(member_call_expression name: (name) @_connect arguments: (arguments . (argument))) @site$BEHIND
  name: (name) @_methods
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer (_) @method)))))
  (#eq? @_connect "connect")
  (#eq? @_methods "setMethods"))
; end
; $routes->get("/users", "Users::index")
((member_call_expression
  object: (variable_name) @_routes name: (name) @method
  arguments: (arguments . (argument (string) @path .) . (argument [(array_creation_expression) (string)]))) @site
  (#match? @_routes "^\\$\\w*([rR]outes?|[bB]uilder)$")
  (#any-of? @method "get" "post" "put" "patch" "delete")
  (#set! style "loose")
  (#set! anyone ""))

; $routes->scope("/users", function (RouteBuilder $routes) { ... }), Router::scope(...)
(([(member_call_expression name: (name) @_scope arguments: (arguments . (argument (_) @prefix .) (argument [(anonymous_function) (arrow_function)])))
   (scoped_call_expression name: (name) @_scope arguments: (arguments . (argument (_) @prefix .) (argument [(anonymous_function) (arrow_function)])))]) @scope
  (#eq? @_scope "scope")
  (#set! style "loose"))
(([(member_call_expression name: (name) @_scope arguments: (arguments . (argument (string) @prefix .) . (argument [(anonymous_function) (arrow_function)])))
   (scoped_call_expression name: (name) @_scope arguments: (arguments . (argument (string) @prefix .) . (argument [(anonymous_function) (arrow_function)])))]) @scope
  (#eq? @_scope "prefix")
  (#match? @prefix "^['\"][/a-z]")
  (#set! style "loose"))
; $routes->plugin("Folders", ["path" => "/folders"], function ...), $routes->prefix("Admin", ["path" => ...], ...)
(([(member_call_expression name: (name) @_scope arguments: (arguments . (argument) . (argument (array_creation_expression (array_element_initializer . (string) @_key . (_) @prefix .))) (argument [(anonymous_function) (arrow_function)])))
   (scoped_call_expression name: (name) @_scope arguments: (arguments . (argument) . (argument (array_creation_expression (array_element_initializer . (string) @_key . (_) @prefix .))) (argument [(anonymous_function) (arrow_function)])))]) @scope
  (#any-of? @_scope "plugin" "prefix")
  (#match? @_key "^['\"]path['\"]$")
  (#set! style "loose"))
