; framework: retrofit   needs: "retrofit2" "retrofit."   emits: http.consumes

((class_declaration "interface" (class_body (function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @method)
  (value_arguments . (value_argument) @path))) @site))))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS"))

; retrofit.create(Users::class.java), retrofit.create<Users>(): retrofit, or the builder that it is made by, has the base URL
((call_expression
  (navigation_expression (_) @service (navigation_suffix (simple_identifier) @_create))
  (call_suffix (value_arguments . (value_argument (navigation_expression (callable_reference (type_identifier) @class))))))
  (#eq? @_create "create"))
((call_expression
  (navigation_expression (_) @service (navigation_suffix (simple_identifier) @_create))
  (call_suffix (type_arguments . (type_projection (user_type (type_identifier) @class)) .)))
  (#eq? @_create "create"))
