; framework: actix   needs: "actix_web" "actix-web"   unless: "axum::"   emits: http.provides

; #[get("/users/{id}")] async fn show: at the paths of the scopes that it is registered in
((attribute_item (attribute
    [(identifier) @method (scoped_identifier name: (identifier) @method)]
    arguments: (token_tree . (string_literal) @path))) @site
  . (attribute_item)* . (function_item name: (identifier) @handler @object)
  (#any-of? @method "get" "post" "put" "patch" "delete" "head" "options")
  (#set! anyone ""))
((attribute_item (attribute
    [(identifier) @_route (scoped_identifier name: (identifier) @_route)]
    arguments: (token_tree . (string_literal) @path))) @site
  . (attribute_item)* . (function_item name: (identifier) @handler @object)
  (#eq? @_route "route")
  (#set! default "ANY")
  (#set! anyone ""))
((attribute_item (attribute
    [(identifier) @_route (scoped_identifier name: (identifier) @_route)]
    arguments: (token_tree (identifier) @_key . (string_literal (string_content) @method)))) @site
  . (attribute_item)* . (function_item)
  (#eq? @_route "route")
  (#eq? @_key "method"))

; web::scope("/api"), web::resource("/users")
((call_expression
  function: [(identifier) @_scope (scoped_identifier name: (identifier) @_scope)]
  arguments: (arguments . (_) @prefix)) @instance
  (#any-of? @_scope "scope" "resource"))

; Resource::new("/users"), Scope::new("/api")
((call_expression
  function: (scoped_identifier path: [(identifier) @_type (scoped_identifier name: (identifier) @_type)] name: (identifier) @_new)
  arguments: (arguments . (_) @prefix)) @instance
  (#any-of? @_type "Scope" "Resource")
  (#eq? @_new "new"))

; .service(x): a handler, a scope, a resource; .configure(x): a function that is given the application
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_service)
  arguments: (arguments . (_) @bind)
  (#any-of? @_service "service" "configure"))
; .service((a, b)), services![a, b]
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_service)
  arguments: (arguments . (tuple_expression (_) @bind))
  (#eq? @_service "service"))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_service)
  arguments: (arguments . (macro_invocation macro: (_) @_services (token_tree (identifier) @bind)))
  (#eq? @_service "service")
  (#match? @_services "services$"))

; .route("/users", web::get().to(list)), also with imported get, of a resource .route(web::get().to(list)), .to(list)
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression) @_made) @site
  (#eq? @_route "route")
  (#match? @_made "^(actix_web::)?(web::)?((get|post|put|patch|delete|head|route)\\(\\s*\\)|method\\()")
  (#set! default "ANY")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (call_expression) @_made .) @site
  (#eq? @_route "route")
  (#match? @_made "^(actix_web::)?(web::)?((get|post|put|patch|delete|head|route)\\(\\s*\\)|method\\()")
  (#set! default "ANY")
  (#set! bare "")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_to)
  arguments: (arguments . (_) @handler .) @site
  (#any-of? @_to "to" "to_async")
  (#match? @object "^(actix_web::)?(web::)?resource\\(")
  (#not-match? @object "\\.(route|to)\\(")
  (#set! default "ANY")
  (#set! bare "")
  (#set! anyone ""))
; what their methods are: web::get().to(list).wrap(x), and method(Method::GET)
; each VERB METHOD
;   get | GET
;   post | POST
;   put | PUT
;   patch | PATCH
;   delete | DELETE
;   head | HEAD
(call_expression
  function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments (call_expression) @_made .) @site
  (#eq? @_route "route")
  (#match? @_made "^(actix_web::)?(web::)?$VERB\\(\\s*\\)")
  (#set! method "$METHOD"))
; end
(call_expression
  function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments (call_expression
    function: (field_expression
      value: (call_expression
        function: [(identifier) @_made (scoped_identifier name: (identifier) @_made)]
        arguments: (arguments . (_) @method))
      field: (field_identifier) @_to)) .) @site
  (#eq? @_route "route")
  (#eq? @_to "to")
  (#eq? @_made "method"))
; and their handlers, behind which there may be up to three more calls
; each BEFORE AFTER
;   |
;   (call_expression function: (field_expression value: | ))
;   (call_expression function: (field_expression value: (call_expression function: (field_expression value: | ))))
;   (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: | ))))))
(call_expression
  function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments $BEFORE(call_expression
    function: (field_expression field: (field_identifier) @_to)
    arguments: (arguments . (_) @handler))$AFTER .) @site
  (#eq? @_route "route")
  (#any-of? @_to "to" "to_async"))
; end
