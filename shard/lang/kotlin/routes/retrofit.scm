; framework: retrofit   needs: "retrofit2" "retrofit."   emits: http.consumes

((class_declaration "interface" (class_body (function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @method)
  (value_arguments . (value_argument) @path))) @site))))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS"))
