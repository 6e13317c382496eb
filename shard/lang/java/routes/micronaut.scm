; framework: micronaut   needs: "micronaut.http.annotation"   emits: http.provides   settings: "micronaut.server.context-path"

((class_declaration
  (modifiers (annotation
    name: (identifier) @_controller
    arguments: (annotation_argument_list [
      (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
      (element_value_pair key: (identifier) @_key value: (_) @prefix)])))) @scope
  (#eq? @_controller "Controller")
  (#any-of? @_key "value" "uri")
  (#set! style "loose"))

; a controller answers what its bases say, too
((class_declaration
  (modifiers [(marker_annotation name: (identifier) @_controller) (annotation name: (identifier) @_controller)])) @scope
  (#eq? @_controller "Controller")
  (#set! counts ""))
(class_declaration [
  (superclass [(type_identifier) @class (generic_type . (type_identifier) @class)])
  (super_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))]) @scope
(interface_declaration
  (extends_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))) @scope

((method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)
  name: (identifier) @handler)
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare ""))
((method_declaration
  (modifiers (annotation
    name: (identifier) @_verb
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_array_initializer (_) @path)])])) @site))
  (#any-of? @_verb "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#any-of? @_key "value" "uri" "uris"))
