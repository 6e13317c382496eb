; framework: axum   needs: "axum"   emits: http.provides

; Router::new().nest("/api", users::router()).merge(health()): what is handed on is known by the Router::new() that it began with.
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_nest)
  arguments: (arguments . (_) @prefix . (_) @bind)
  (#any-of? @_nest "nest" "nest_api_service"))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_merge)
  arguments: (arguments . (_) @bind .)
  (#eq? @_merge "merge"))

; .route("/users/{id}", get(show).put(update)): a site for each method, however deep it stands in the chain
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))))))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))))))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method) (generic_function function: (_) @method)] arguments: (arguments . (_)? @handler)) @site)))))))))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_route)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site)))))))))) .)
  (#eq? @_route "route")
  (#match? @method "^(get|post|put|patch|delete|head|options|any|on)(_service|::<.*>)?$")
  (#set! anyone ""))
