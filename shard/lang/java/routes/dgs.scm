; framework: dgs   needs: "DgsQuery" "DgsMutation" "DgsSubscription" "DgsData"   emits: graphql.states

; each ROOT CAPITALS
;   Query | QUERY
;   Mutation | MUTATION
;   Subscription | SUBSCRIPTION
; @DgsQuery, @DgsQuery(field = "users") on methods
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "Dgs$ROOT")
  (#set! prefix "$ROOT")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "Dgs$ROOT")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "$ROOT"))
; @DgsData(parentType = DgsConstants.QUERY.TYPE_NAME, field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"$ROOT\"$|(^|\\.)($CAPITALS\\.TYPE_NAME|$CAPITALS_TYPE)$")
  (#set! prefix "$ROOT")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"$ROOT\"$|(^|\\.)($CAPITALS\\.TYPE_NAME|$CAPITALS_TYPE)$")
  (#set! prefix "$ROOT"))
; end
