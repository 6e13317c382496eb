; framework: hotchocolate   needs: "QueryType" "MutationType" "SubscriptionType" "ExtendObjectType"   emits: graphql.extends

; [QueryType] class UserQueries, [ExtendObjectType(typeof(Query))], [ExtendObjectType("Query")], [ExtendObjectType(OperationTypeNames.Query)]
; each ROOT
;   Query
;   Mutation
;   Subscription
((class_declaration
  (attribute_list (attribute name: (identifier) @_extend (attribute_argument_list . (attribute_argument (_) @_of .))))
  name: (identifier) @path) @site
  (#eq? @_extend "ExtendObjectType")
  (#match? @_of "^(typeof\\(|\"|nameof\\(|OperationTypeNames\\.)$ROOT(Type)?(\"|\\))?$")
  (#set! prefix "=$ROOT")
  (#set! word ""))
; end
((class_declaration
  (attribute_list (attribute name: (identifier) @_root))
  name: (identifier) @path) @site
  (#eq? @_root "QueryType")
  (#set! prefix "=Query")
  (#set! word ""))
((class_declaration
  (attribute_list (attribute name: (identifier) @_root))
  name: (identifier) @path) @site
  (#eq? @_root "MutationType")
  (#set! prefix "=Mutation")
  (#set! word ""))
((class_declaration
  (attribute_list (attribute name: (identifier) @_root))
  name: (identifier) @path) @site
  (#eq? @_root "SubscriptionType")
  (#set! prefix "=Subscription")
  (#set! word ""))
