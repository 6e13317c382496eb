; framework: rocket   needs: "rocket" "#[get(" "#[post(" "#[put(" "#[delete(" "#[patch("   unless: "actix" "ntex"   emits: http.provides

; #[get("/users/<id>?<page>")] fn show: below what its routes are mounted at
((attribute_item (attribute
    [(identifier) @method (scoped_identifier name: (identifier) @method)]
    arguments: (token_tree . (string_literal) @path))) @site
  . (attribute_item)* . (function_item name: (identifier) @handler @object)
  (#any-of? @method "get" "post" "put" "patch" "delete" "head" "options")
  (#set! style "rocket")
  (#set! anyone ""))
((attribute_item (attribute (identifier) @_route
    arguments: (token_tree . (identifier) @method . (string_literal) @path))) @site
  . (attribute_item)* . (function_item name: (identifier) @handler @object)
  (#eq? @_route "route")
  (#set! style "rocket")
  (#set! anyone ""))

; routes![list, users::show]
((macro_invocation macro: (_) @_routes (token_tree (identifier) @bind)) @object
  (#match? @_routes "^(rocket::)?routes$|openapi_get_routes$"))

; rocket.mount("/api", routes![...]), mount("/api", users::routes())
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_mount)
  arguments: (arguments . (_) @prefix . (_) @bind)
  (#eq? @_mount "mount"))
