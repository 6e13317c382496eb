; framework: feign   needs: "FeignClient" "feign." "HttpExchange"   emits: http.consumes

; @FeignClient("users"), (name = "users", url = "...", path = "/api")
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_feign
    arguments: (annotation_argument_list [(string_literal) (binary_expression) (identifier) (field_access)] @service))))
  @scope
  (#any-of? @_feign "FeignClient" "HttpExchange"))
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_feign
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(string_literal) (binary_expression) (identifier) (field_access)] @service))))) @scope
  (#any-of? @_feign "FeignClient" "HttpExchange")
  (#any-of? @_key "value" "name" "serviceId" "url"))
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_feign
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @prefix))))) @scope
  (#eq? @_feign "FeignClient")
  (#eq? @_key "path"))
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list [
      (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
      (element_value_pair
        key: (identifier) @_key
        value: [(string_literal) (binary_expression) (identifier) (field_access)] @prefix)])))) @scope
  (#eq? @_mapping "RequestMapping")
  (#any-of? @_key "value" "path")
  (#set! style "loose"))

; what it is derived from it calls, too
((interface_declaration
  (modifiers (annotation name: (identifier) @_feign))) @scope
  (#any-of? @_feign "FeignClient" "HttpExchange")
  (#set! counts ""))
(interface_declaration
  (extends_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))) @scope
((interface_body (method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)))
  (#match? @method "^(Get|Post|Put|Delete|Patch)Mapping$")
  (#set! derived "")
  (#set! bare ""))

; its methods
((interface_declaration
  (modifiers [(annotation name: (identifier) @_feign) (marker_annotation name: (identifier) @_feign)])
  body: (interface_body (method_declaration
    (modifiers [
      (marker_annotation name: (identifier) @method)
      (annotation name: (identifier) @method)] @site))))
  (#any-of? @_feign "FeignClient" "HttpExchange")
  (#match? @method "^(Get|Post|Put|Delete|Patch)(Mapping|Exchange)$")
  (#set! bare ""))
((interface_body (method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)))
  (#match? @method "^(Get|Post|Put|Delete|Patch)Exchange$")
  (#set! bare ""))
((interface_declaration
  (modifiers (annotation name: (identifier) @_feign))
  body: (interface_body (method_declaration
    (modifiers (annotation
      name: (identifier) @_mapping
      arguments: (annotation_argument_list (element_value_pair
        key: (identifier) @_key
        value: [(identifier) (field_access) (string_literal) (element_value_array_initializer . (_))] @method))) @site))))
  (#any-of? @_feign "FeignClient" "HttpExchange")
  (#any-of? @_mapping "RequestMapping" "HttpExchange")
  (#eq? @_key "method")
  (#set! bare ""))
((interface_declaration
  (modifiers (annotation name: (identifier) @_feign))
  body: (interface_body (method_declaration
    (modifiers (annotation
      name: (identifier) @_mapping
      arguments: (_) @_said) @site))))
  (#eq? @_feign "FeignClient")
  (#eq? @_mapping "RequestMapping")
  (#not-match? @_said "\\bmethod\\s*=")
  (#set! method "GET"))
((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_array_initializer (_) @path)
      (element_value_pair
        key: (identifier) @_key
        value: [(string_literal) (binary_expression) (identifier) (field_access)] @path)
      (element_value_pair
        key: (identifier) @_key
        value: (element_value_array_initializer (_) @path))])) @site)))
  (#match? @_mapping "^((Get|Post|Put|Delete|Patch|Request)Mapping|(Get|Post|Put|Delete|Patch|Http)Exchange)$")
  (#any-of? @_key "value" "path" "url"))

; Feign.builder().target(Users.class, "http://users")
((method_invocation
  name: (identifier) @_target
  arguments: (argument_list . (class_literal (type_identifier) @class) . (_) @service .))
  (#eq? @_target "target"))

; Feign's own: @RequestLine("GET /users/{id}")
((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_line
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path
      (element_value_pair value: [(string_literal) (binary_expression) (identifier)] @path)])) @site)))
  (#eq? @_line "RequestLine")
  (#set! default "GET"))
