; framework: microprofile-graphql   needs: "microprofile.graphql"   emits: graphql.states

; @Query, @Query("users") on methods of a @GraphQLApi
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "Query")
  (#set! prefix "Query")
  (#set! style "getter")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (string_literal) @path)))) @site
  (#eq? @_root "Query")
  (#set! prefix "Query"))
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "Mutation")
  (#set! prefix "Mutation")
  (#set! style "getter")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (string_literal) @path)))) @site
  (#eq? @_root "Mutation")
  (#set! prefix "Mutation"))
((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_root) (annotation name: (identifier) @_root)])
  name: (identifier) @path @handler) @site
  (#eq? @_root "Subscription")
  (#set! prefix "Subscription")
  (#set! style "getter")
  (#set! word ""))
((method_declaration
  (modifiers (annotation name: (identifier) @_root arguments: (annotation_argument_list (string_literal) @path)))) @site
  (#eq? @_root "Subscription")
  (#set! prefix "Subscription"))
