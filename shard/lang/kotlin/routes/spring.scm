; framework: spring   needs: "Mapping" "RestController" "@Controller" "addPathPrefix"   emits: http.provides   settings: "server.servlet.context-path|server.context-path spring.mvc.servlet.path|spring.webflux.base-path"

; @RequestMapping("/prefix") on the class
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_mapping)
    (value_arguments (value_argument
      . [
        (string_literal) @prefix (additive_expression) @prefix (simple_identifier) @prefix (navigation_expression) @prefix
        (collection_literal (_) @prefix)] .)))))) @scope
  (#eq? @_mapping "RequestMapping"))
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_mapping)
    (value_arguments (value_argument
      . (simple_identifier) @_key
      . [
        (string_literal) @prefix (additive_expression) @prefix (simple_identifier) @prefix (navigation_expression) @prefix
        (collection_literal (_) @prefix)])))))) @scope
  (#eq? @_mapping "RequestMapping")
  (#any-of? @_key "value" "path"))

; @get:AliasFor(annotation = RequestMapping::class, attribute = "path") val value: String: the path of what has the annotation
; each MEMBER
;   value
;   path
((class_declaration
  (primary_constructor (class_parameter
    (modifiers (annotation (constructor_invocation
      (user_type (type_identifier) @_alias)
      (value_arguments) @_of)))
    (simple_identifier) @_name))) @scope
  (#eq? @_alias "AliasFor")
  (#match? @_of "\\bRequestMapping\\b")
  (#not-match? @_of "\"(method|params|headers|consumes|produces|name)\"")
  (#eq? @_name "$MEMBER")
  (#set! template "$MEMBER")
  (#set! only ""))
; end
((class_declaration
  (modifiers (annotation (constructor_invocation (user_type (type_identifier) @class))))) @scope
  (#not-match? @class "Mapping$|^(RestController|Controller|Component|Service|Configuration|Deprecated|Transactional|Validated|Target|Retention|Tag|Suppress|ConditionalOnProperty|PreAuthorize)$")
  (#set! composed ""))

; what an annotation class says is said of what has it
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_mapping)
    (value_arguments (value_argument
      (simple_identifier)? @_key
      . [
        (string_literal) @prefix (additive_expression) @prefix (navigation_expression) @prefix
        (collection_literal (_) @prefix)] .)))))) @scope
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch)Mapping$")
  (#any-of? @_key "value" "path"))
((class_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @method)
    (constructor_invocation (user_type (type_identifier) @method))]))) @scope
  (#match? @method "^(Get|Post|Put|Delete|Patch)Mapping$"))
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_mapping)
    (value_arguments (value_argument
      . (simple_identifier) @_key
      . [(navigation_expression) @method (collection_literal (_) @method)])))))) @scope
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method"))
((class_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @class)
    (constructor_invocation (user_type (type_identifier) @class))]))) @scope
  (#not-match? @class "Mapping$|^(RestController|Controller|Component|Service|Configuration|Deprecated|Transactional|Validated|Target|Retention)$"))
((class_declaration (class_body (function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @class)
    (constructor_invocation (user_type (type_identifier) @class))]) @site)
  (simple_identifier) @handler)))
  (#not-match? @class "Mapping$|^(Deprecated|Transactional|Bean|Async|Cacheable|Operation|ApiOperation|PreAuthorize|ExceptionHandler|ResponseStatus|ResponseBody|Suppress)$")
  (#set! composed "")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare ""))
((class_declaration (class_body (function_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @class)
    (value_arguments (value_argument
      (simple_identifier)? @_key
      . [
        (string_literal) @path (additive_expression) @path (navigation_expression) @path
        (collection_literal (_) @path)] .)))) @site))))
  (#not-match? @class "Mapping$|^(Operation|ApiOperation|PreAuthorize|Cacheable)$")
  (#any-of? @_key "value" "path")
  (#set! composed "")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare ""))

; a controller answers what its bases say, too
((class_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_controller)
    (constructor_invocation (user_type (type_identifier) @_controller))]))) @scope
  (#any-of? @_controller "RestController" "Controller")
  (#set! counts ""))
(class_declaration (delegation_specifier [
  (user_type . (type_identifier) @class)
  (constructor_invocation (user_type . (type_identifier) @class))])) @scope

; @GetMapping and its kin, @RequestMapping, on methods; on an interface they count for the controllers that implement it
((class_declaration (class_body (function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @method)
    (constructor_invocation (user_type (type_identifier) @method))]) @site)
  (simple_identifier) @handler)))
  (#match? @method "^(Get|Post|Put|Delete|Patch)Mapping$")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare ""))
((class_declaration (class_body (function_declaration
  (modifiers (annotation [
    (user_type (type_identifier) @_mapping)
    (constructor_invocation (user_type (type_identifier) @_mapping))]) @site)
  (simple_identifier) @handler)))
  (#eq? @_mapping "RequestMapping")
  (#set! style "loose")
  (#set! derived "")
  (#set! bare "")
  (#set! default "ANY"))

((function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @_mapping)
  (value_arguments (value_argument
    . [
      (string_literal) @path (additive_expression) @path (simple_identifier) @path (navigation_expression) @path
      (collection_literal (_) @path)] .)))) @site))
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$"))
((function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @_mapping)
  (value_arguments (value_argument
    . (simple_identifier) @_key
    . [
      (string_literal) @path (additive_expression) @path (simple_identifier) @path (navigation_expression) @path
      (collection_literal (_) @path)])))) @site))
  (#match? @_mapping "^(Get|Post|Put|Delete|Patch|Request)Mapping$")
  (#any-of? @_key "value" "path"))
((class_declaration (class_body (function_declaration (modifiers (annotation (constructor_invocation
  (user_type (type_identifier) @_mapping)
  (value_arguments (value_argument
    . (simple_identifier) @_key
    . [(simple_identifier) @method (navigation_expression) @method (collection_literal (_) @method)])))) @site))))
  (#eq? @_mapping "RequestMapping")
  (#eq? @_key "method"))

; configurer.addPathPrefix("/api") { .. }: before all
((call_expression
  (navigation_expression (_) (navigation_suffix (simple_identifier) @_add))
  (call_suffix (value_arguments . (value_argument) @prefix)))
  (#eq? @_add "addPathPrefix")
  (#set! global ""))
