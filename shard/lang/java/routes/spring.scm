; framework: spring   needs: "Mapping" "RestController" "@Controller"   emits: http.provides   settings: "server.servlet.context-path|server.context-path spring.mvc.servlet.path|spring.webflux.base-path"

; @RequestMapping("/prefix") on the class: the value alone, by key, or several
(class_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list [(string_literal) (binary_expression) (identifier) (field_access)] @prefix)))
  (#eq? @_mapping "RequestMapping")) @scope
(class_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_array_initializer (_) @prefix))))
  (#eq? @_mapping "RequestMapping")) @scope
(class_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(string_literal) (binary_expression) (identifier) (field_access)] @prefix))))
  (#eq? @_mapping "RequestMapping")
  (#any-of? @_key "value" "path")) @scope
(class_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: (element_value_array_initializer (_) @prefix)))))
  (#eq? @_mapping "RequestMapping")
  (#any-of? @_key "value" "path")) @scope

((interface_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list [
      (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
      (element_value_array_initializer (_) @prefix)
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
          (element_value_array_initializer (_) @prefix)])])))) @scope
  (#eq? @_mapping "RequestMapping")
  (#any-of? @_key "value" "path"))

; a controller answers what its bases say, too
((class_declaration
  (modifiers [(marker_annotation name: (identifier) @_controller) (annotation name: (identifier) @_controller)])) @scope
  (#any-of? @_controller "RestController" "Controller")
  (#set! counts ""))
(class_declaration [
  (superclass [(type_identifier) @class (generic_type . (type_identifier) @class)])
  (super_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))]) @scope
(interface_declaration
  (extends_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))) @scope

; @GetMapping and its kin, @RequestMapping on a method; on an interface they count for the controllers that implement it
((method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)
  name: (identifier) @handler
  (#match? @method "^(Get|Post|Put|Delete|Patch)Mapping$")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare "")))
((method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_mapping)
    (annotation name: (identifier) @_mapping)] @site)
  name: (identifier) @handler
  (#eq? @_mapping "RequestMapping")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare "")
  (#set! default "ANY")))

; its path: the value alone, by key, or several
((method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list
      [(string_literal) (binary_expression) (identifier) (field_access)] @path)) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")))
((method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_array_initializer (_) @path))) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")))
((method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")
  (#any-of? @_key "value" "path")))
((method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: (element_value_array_initializer (_) @path)))) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")
  (#any-of? @_key "value" "path")))

; method = RequestMethod.GET, or several
((method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(identifier) (field_access)] @method))) @site)
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method")))
((method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: (element_value_array_initializer (_) @method)))) @site)
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method")))
