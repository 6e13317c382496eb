; framework: feign   needs: "FeignClient" "HttpExchange"   emits: http.consumes

((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_feign)
    (value_arguments (value_argument . (_) @service .))))) "interface") @scope
  (#any-of? @_feign "FeignClient" "HttpExchange"))
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_feign)
    (value_arguments (value_argument . (simple_identifier) @_key . (_) @service))))) "interface") @scope
  (#any-of? @_feign "FeignClient" "HttpExchange")
  (#any-of? @_key "value" "name" "url"))
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_feign)
    (value_arguments (value_argument . (simple_identifier) @_key . (_) @prefix))))) "interface") @scope
  (#eq? @_feign "FeignClient")
  (#eq? @_key "path"))

((class_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_feign)
    (constructor_invocation (user_type (type_identifier) @_feign))]))
  "interface"
  (class_body (function_declaration (modifiers (annotation [
    (user_type (type_identifier) @method)
    (constructor_invocation (user_type (type_identifier) @method))]) @site))))
  (#any-of? @_feign "FeignClient" "HttpExchange")
  (#match? @method "^(Get|Post|Put|Delete|Patch)(Mapping|Exchange)$")
  (#set! bare ""))
((class_declaration "interface" (class_body (function_declaration (modifiers (annotation [
    (user_type (type_identifier) @method)
    (constructor_invocation (user_type (type_identifier) @method))]) @site))))
  (#match? @method "^(Get|Post|Put|Delete|Patch)Exchange$")
  (#set! bare ""))
((class_declaration
  (modifiers (annotation (constructor_invocation (user_type (type_identifier) @_feign))))
  "interface"
  (class_body (function_declaration (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_mapping)
    (value_arguments (value_argument
      . (simple_identifier) @_key
      . [(simple_identifier) @method (navigation_expression) @method (collection_literal (_) @method)])))) @site))))
  (#eq? @_feign "FeignClient")
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method"))
((function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @_mapping)
  (value_arguments (value_argument
    . [
      (string_literal) @path (additive_expression) @path (simple_identifier) @path (navigation_expression) @path
      (collection_literal (_) @path)] .)))) @site))
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)(Mapping|Exchange)$"))
((function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @_mapping)
  (value_arguments (value_argument
    . (simple_identifier) @_key
    . [
      (string_literal) @path (additive_expression) @path (simple_identifier) @path (navigation_expression) @path
      (collection_literal (_) @path)])))) @site))
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)(Mapping|Exchange)$")
  (#any-of? @_key "value" "path" "url"))
