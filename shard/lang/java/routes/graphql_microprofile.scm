; framework: microprofile-graphql   needs: "microprofile.graphql"   emits: graphql.states

; @Query, @Query("users") on methods of a @GraphQLApi
; each ROOT
;   Query
;   Mutation
;   Subscription
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "$ROOT")
  (#set! prefix "$ROOT")
  (#set! style "getter")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (string_literal) @path)))) @site
  (#eq? @_root "$ROOT")
  (#set! prefix "$ROOT"))
; end
