; framework: yarp   needs: "RouteConfig" "ClusterConfig"   emits: http.forwards

; new RouteConfig { ClusterId = "users", Match = new() { Path = "/users/{**rest}" }, Transforms = .. }
([
  (object_creation_expression (initializer_expression
    (assignment_expression left: (identifier) @_match right: [
      (object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_path right: (_) @path)))
      (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_path right: (_) @path)))])))
  (implicit_object_creation_expression (initializer_expression
    (assignment_expression left: (identifier) @_match right: [
      (object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_path right: (_) @path)))
      (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_path right: (_) @path)))])))
] @site @rewrite
  (#eq? @_match "Match")
  (#eq? @_path "Path")
  (#set! style "ant")
  (#set! method "ANY"))
([
  (object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_cluster right: (_) @service)))
  (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_cluster right: (_) @service)))
] @site @_object
  (#eq? @_cluster "ClusterId")
  (#match? @_object "\\bMatch\\s*="))
; new RouteConfig { .. }.WithTransformPathRemovePrefix(prefix: "/api")
((invocation_expression function: (member_access_expression expression: [
  (object_creation_expression) @site
  (parenthesized_expression (object_creation_expression) @site)])) @rewrite
  (#match? @site "^new RouteConfig"))

; new ClusterConfig { ClusterId = "users", Destinations = .. { Address = "http://users" } }: the first one
([
  (object_creation_expression (initializer_expression
    (assignment_expression left: (identifier) @_cluster right: (string_literal (string_literal_content) @class))
    (assignment_expression left: (identifier) @_destinations right: (_ (initializer_expression . (_ [
      (object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_address right: (_) @service)))
      (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_address right: (_) @service)))]))))))
  (implicit_object_creation_expression (initializer_expression
    (assignment_expression left: (identifier) @_cluster right: (string_literal (string_literal_content) @class))
    (assignment_expression left: (identifier) @_destinations right: (_ (initializer_expression . (_ [
      (object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_address right: (_) @service)))
      (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @_address right: (_) @service)))]))))))
]
  (#eq? @_cluster "ClusterId")
  (#eq? @_destinations "Destinations")
  (#eq? @_address "Address"))
