; framework: spring-graphql   needs: "QueryMapping" "MutationMapping" "SubscriptionMapping" "SchemaMapping"   emits: graphql.states

; @QueryMapping, @QueryMapping("users") on methods
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "QueryMapping")
  (#set! prefix "Query")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list [(string_literal) (field_access)] @path)))) @site
  (#eq? @_root "QueryMapping")
  (#set! prefix "Query"))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "QueryMapping")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Query"))
; @SchemaMapping(typeName = "Query", field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"Query\"$|(^|\\.)(QUERY\\.TYPE_NAME|QUERY_TYPE)$")
  (#set! prefix "Query")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"Query\"$|(^|\\.)(QUERY\\.TYPE_NAME|QUERY_TYPE)$")
  (#set! prefix "Query"))
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "MutationMapping")
  (#set! prefix "Mutation")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list [(string_literal) (field_access)] @path)))) @site
  (#eq? @_root "MutationMapping")
  (#set! prefix "Mutation"))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "MutationMapping")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Mutation"))
; @SchemaMapping(typeName = "Mutation", field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"Mutation\"$|(^|\\.)(MUTATION\\.TYPE_NAME|MUTATION_TYPE)$")
  (#set! prefix "Mutation")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"Mutation\"$|(^|\\.)(MUTATION\\.TYPE_NAME|MUTATION_TYPE)$")
  (#set! prefix "Mutation"))
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "SubscriptionMapping")
  (#set! prefix "Subscription")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list [(string_literal) (field_access)] @path)))) @site
  (#eq? @_root "SubscriptionMapping")
  (#set! prefix "Subscription"))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path))))) @site
  (#eq? @_root "SubscriptionMapping")
  (#any-of? @_key "value" "name" "field")
  (#set! prefix "Subscription"))
; @SchemaMapping(typeName = "Subscription", field = "users")
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (element_value_pair key: (identifier) @_type value: (_) @_of))))
  name: (identifier) @path @handler) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#match? @_of "^\"Subscription\"$|(^|\\.)(SUBSCRIPTION\\.TYPE_NAME|SUBSCRIPTION_TYPE)$")
  (#set! prefix "Subscription")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_type value: (_) @_of)
    (element_value_pair key: (identifier) @_field value: (string_literal) @path))))) @site
  (#eq? @_root "SchemaMapping")
  (#eq? @_type "typeName")
  (#eq? @_field "field")
  (#match? @_of "^\"Subscription\"$|(^|\\.)(SUBSCRIPTION\\.TYPE_NAME|SUBSCRIPTION_TYPE)$")
  (#set! prefix "Subscription"))
