; framework: spring   needs: "Mapping" "RestController" "@Controller" "addPathPrefix"   emits: http.provides   settings: "server.servlet.context-path|server.context-path spring.mvc.servlet.path|spring.webflux.base-path"

; @RequestMapping("/prefix") on a type: the value alone, by key, or several.  On an annotation it is the path of what has it.
; each TYPE MAPPING
;   class_declaration | ^RequestMapping$
;   interface_declaration | ^RequestMapping$
;   annotation_type_declaration | ^(Get|Post|Put|Delete|Patch|Request)Mapping$
(($TYPE
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
  (#match? @_mapping "$MAPPING")
  (#any-of? @_key "value" "path"))
; end
((annotation_type_declaration
  (modifiers [(marker_annotation name: (identifier) @method) (annotation name: (identifier) @method)])) @scope
  (#match? @method "^(Get|Post|Put|Delete|Patch)Mapping$"))
((annotation_type_declaration
  (modifiers (annotation
    name: (identifier) @_mapping
    arguments: (annotation_argument_list (element_value_pair
      key: (identifier) @_key
      value: [(identifier) @method (field_access) @method (element_value_array_initializer (_) @method)]))))) @scope
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method"))

; @AliasFor(annotation = RequestMapping.class, attribute = "path") String[] value(): the path of what has the annotation
; each MEMBER
;   value
;   path
((annotation_type_declaration
  body: (annotation_type_body (annotation_type_element_declaration
    (modifiers (annotation name: (identifier) @_alias arguments: (_) @_of))
    name: (identifier) @_name))) @scope
  (#eq? @_alias "AliasFor")
  (#match? @_of "\\bRequestMapping\\b")
  (#not-match? @_of "\"(method|params|headers|consumes|produces|name)\"")
  (#eq? @_name "$MEMBER")
  (#set! template "$MEMBER")
  (#set! only ""))
; end
((class_declaration
  (modifiers (annotation name: (identifier) @class))) @scope
  (#not-match? @class "Mapping$|^(RestController|Controller|Component|Service|Configuration|Deprecated|Transactional|Validated|Slf4j|SuppressWarnings|Tag|Api|ConditionalOnProperty|PreAuthorize)$")
  (#set! composed ""))

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
((class_declaration
  (modifiers [(marker_annotation name: (identifier) @class) (annotation name: (identifier) @class)])) @scope
  (#not-match? @class "Mapping$|^(RestController|Controller|Component|Service|Configuration|Deprecated|Transactional|Validated|Slf4j)$"))

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
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_array_initializer (_) @path)
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_array_initializer (_) @path)])])) @site)
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")
  (#any-of? @_key "value" "path")))

; an annotation of this repository that is composed of these
((method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @class)
    (annotation name: (identifier) @class)] @site)
  name: (identifier) @handler
  (#not-match? @class "Mapping$|^(Override|Deprecated|Transactional|Bean|Async|Cacheable|Operation|ApiOperation|PreAuthorize|ExceptionHandler|ResponseStatus|ResponseBody|SuppressWarnings)$")
  (#set! composed "")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare "")))
((method_declaration
  (modifiers (annotation
    name: (identifier) @class
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_array_initializer (_) @path)
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_array_initializer (_) @path)])])) @site)
  (#not-match? @class "Mapping$|^(Operation|ApiOperation|PreAuthorize|Cacheable)$")
  (#any-of? @_key "value" "path")
  (#set! composed "")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare "")))

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

; configurer.addPathPrefix("/api", ..): before all
((method_invocation name: (identifier) @_add arguments: (argument_list . (_) @prefix))
  (#eq? @_add "addPathPrefix")
  (#set! global ""))
