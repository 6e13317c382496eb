; framework: poem   needs: "poem::" "poem_openapi"   emits: http.provides

; Route::new().nest("/api", users::routes())
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_nest)
  arguments: (arguments . (_) @prefix . (_) @bind)
  (#any-of? @_nest "nest" "nest_no_strip"))

; .at("/users/:id", get(show).post(add))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_at)
  arguments: (arguments . (_) @path . (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method)] arguments: (arguments . (_)? @handler)) @site .)
  (#eq? @_at "at")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head" "options")
  (#set! anyone ""))
; each INNER
;   [(call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method)] arguments: (arguments . (_)? @handler)) @site]
;   (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method)] arguments: (arguments . (_)? @handler)) @site))
;   (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @method (scoped_identifier name: (identifier) @method)] arguments: (arguments . (_)? @handler)) @site))))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_at)
  arguments: (arguments . (_) @path . (call_expression function: (field_expression value: $INNER)) .)
  (#eq? @_at "at")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head" "options")
  (#set! anyone ""))
; end
; each INNER
;   (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site
;   (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression) field: (field_identifier) @method) arguments: (arguments . (_) @handler)) @site))
(call_expression
  function: (field_expression value: (_) @object field: (field_identifier) @_at)
  arguments: (arguments . (_) @path . $INNER @_router .)
  (#eq? @_at "at")
  (#match? @_router "^(poem::)?(get|post|put|patch|delete|head|options)\\(")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head" "options")
  (#set! anyone ""))
; end

; #[OpenApi(prefix_path = "/users")] impl Api
((attribute_item (attribute
    [(identifier) @_openapi (scoped_identifier name: (identifier) @_openapi)]
    arguments: (token_tree (identifier) @_key . (string_literal) @prefix)))
  . (attribute_item)* . (impl_item type: (type_identifier) @bind)
  (#eq? @_openapi "OpenApi")
  (#eq? @_key "prefix_path"))
; #[oai(path = "/:id", method = "get")] async fn show
(impl_item
  type: (type_identifier) @object
  body: (declaration_list
    (attribute_item (attribute
      [(identifier) @_oai (scoped_identifier name: (identifier) @_oai)]
      arguments: (token_tree (identifier) @_key . (string_literal) @path))) @site
    . (attribute_item)* . (function_item name: (identifier) @handler))
  (#eq? @_oai "oai")
  (#eq? @_key "path")
  (#set! anyone ""))
(impl_item
  body: (declaration_list
    (attribute_item (attribute
      [(identifier) @_oai (scoped_identifier name: (identifier) @_oai)]
      arguments: (token_tree (identifier) @_key . (string_literal) @method))) @site)
  (#eq? @_oai "oai")
  (#eq? @_key "method"))

; OpenApiService::new((Users, Orders), "title", "1"): what it is made of is mounted with it
((call_expression
  function: (scoped_identifier path: (_) @_type name: (identifier) @_new)
  arguments: (arguments . (_) @bind)) @object
  (#match? @_type "OpenApiService$")
  (#eq? @_new "new"))
((call_expression
  function: (scoped_identifier path: (_) @_type name: (identifier) @_new)
  arguments: (arguments . (tuple_expression (_) @bind))) @object
  (#match? @_type "OpenApiService$")
  (#eq? @_new "new"))
