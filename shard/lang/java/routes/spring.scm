; framework: spring   needs: "Mapping"   emits: http.provides

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

; @GetMapping and its kin, @RequestMapping on a method of a class (on an interface they may describe a client)
(class_body (method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)
  name: (identifier) @handler
  (#match? @method "^(Get|Post|Put|Delete|Patch)Mapping$")
  (#set! style "loose")
  (#set! bare "")))
(class_body (method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_mapping)
    (annotation name: (identifier) @_mapping)] @site)
  name: (identifier) @handler
  (#eq? @_mapping "RequestMapping")
  (#set! style "loose")
  (#set! bare "")
  (#set! default "ANY")))

; its path: the value alone, by key, or several
(class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list
      [(string_literal) (binary_expression) (identifier) (field_access)] @path)) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")))
(class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_array_initializer (_) @path))) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")))
(class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(string_literal) (binary_expression) (identifier) (field_access)] @path))) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")
  (#any-of? @_key "value" "path")))
(class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: (element_value_array_initializer (_) @path)))) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")
  (#any-of? @_key "value" "path")))

; method = RequestMethod.GET, or several
(class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(identifier) (field_access)] @method))) @site)
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method")))
(class_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: (element_value_array_initializer (_) @method)))) @site)
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method")))
