; framework: dgs   needs: "DgsQuery" "DgsMutation" "DgsSubscription" "DgsData"   emits: graphql.states

; @DgsQuery, @DgsQuery(field = "users") on methods
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsQuery")
  (#set! prefix "Query")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "DgsQuery")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Query"))
; @DgsData(parentType = DgsConstants.QUERY.TYPE_NAME, field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"Query\"$|(^|\\.)(QUERY\\.TYPE_NAME|QUERY_TYPE)$")
  (#set! prefix "Query")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"Query\"$|(^|\\.)(QUERY\\.TYPE_NAME|QUERY_TYPE)$")
  (#set! prefix "Query"))
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsMutation")
  (#set! prefix "Mutation")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "DgsMutation")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Mutation"))
; @DgsData(parentType = DgsConstants.MUTATION.TYPE_NAME, field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"Mutation\"$|(^|\\.)(MUTATION\\.TYPE_NAME|MUTATION_TYPE)$")
  (#set! prefix "Mutation")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"Mutation\"$|(^|\\.)(MUTATION\\.TYPE_NAME|MUTATION_TYPE)$")
  (#set! prefix "Mutation"))
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsSubscription")
  (#set! prefix "Subscription")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "DgsSubscription")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Subscription"))
; @DgsData(parentType = DgsConstants.SUBSCRIPTION.TYPE_NAME, field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#match? @_of "^\"Subscription\"$|(^|\\.)(SUBSCRIPTION\\.TYPE_NAME|SUBSCRIPTION_TYPE)$")
  (#set! prefix "Subscription")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "DgsData")
  (#eq? @_type "parentType")
  (#eq? @_field "field")
  (#match? @_of "^\"Subscription\"$|(^|\\.)(SUBSCRIPTION\\.TYPE_NAME|SUBSCRIPTION_TYPE)$")
  (#set! prefix "Subscription"))
