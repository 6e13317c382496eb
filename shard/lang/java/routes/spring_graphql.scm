; framework: spring-graphql   needs: "QueryMapping" "MutationMapping" "SubscriptionMapping" "SchemaMapping"   emits: graphql.states

; each ROOT CAPITALS MAPPING
;   Query | QUERY | QueryMapping
;   Mutation | MUTATION | MutationMapping
;   Subscription | SUBSCRIPTION | SubscriptionMapping
; @QueryMapping, @QueryMapping("users") on methods
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "$MAPPING")
  (#set! prefix "$ROOT")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list [(string_literal) (field_access)] @path)))) @site
  (#eq? @_root "$MAPPING")
  (#set! prefix "$ROOT"))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "$MAPPING")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "$ROOT"))
; @SchemaMapping(typeName = "Query", field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"$ROOT\"$|(^|\\.)($CAPITALS\\.TYPE_NAME|$CAPITALS_TYPE)$")
  (#set! prefix "$ROOT")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"$ROOT\"$|(^|\\.)($CAPITALS\\.TYPE_NAME|$CAPITALS_TYPE)$")
  (#set! prefix "$ROOT"))
; end
