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

((class_body (method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)
  name: (identifier) @handler))
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#set! style "loose")
  (#set! bare ""))
((class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_verb
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_array_initializer (_) @path)])])) @site)))
  (#any-of? @_verb "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#any-of? @_key "value" "uri" "uris"))
