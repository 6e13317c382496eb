; framework: axum   needs: "axum" "utoipa::path"   emits: http.provides

; Router::new().nest("/api", users::router()).merge(health()): what is handed on is known by the Router::new() that it began with.
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_nest)
  arguments: (arguments . (_) @prefix . (_) @bind)
  (#any-of? @_nest "nest" "nest_api_service"))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_merge)
  arguments: (arguments . (_) @bind .)
  (#eq? @_merge "merge"))

; #[utoipa::path(get, path = "/users/{id}")] async fn show: a route where .routes(routes!(list, users::show)) has it, else a description
((attribute_item (attribute
    (scoped_identifier) @_attribute
    arguments: (token_tree (identifier) @method (identifier) @_path . (string_literal) @path))) @site
  . (attribute_item)* . (function_item name: (identifier) @handler @object)
  (#eq? @_attribute "utoipa::path")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head" "options")
  (#eq? @_path "path")
  (#set! anyone ""))
((attribute_item (attribute (scoped_identifier) @_attribute)) . (attribute_item)* . (function_item name: (identifier) @bind)
  (#eq? @_attribute "utoipa::path")
  (#set! mounted "only"))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_routes)
  arguments: (arguments . (macro_invocation macro: (_) @_macro (token_tree (identifier) @bind)))
  (#eq? @_routes "routes")
  (#match? @_macro "(^|::)routes$"))

; .route("/users/{id}", get(show).put(update)): a site for each method, however deep it stands in the chain
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))))))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))))))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))))))))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))))))))) . (_)? .)
  (#any-of? @_route "route" "api_route" "api_route_with")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|_with|_service_with|::<.*>)?$")
  (#set! anyone ""))
