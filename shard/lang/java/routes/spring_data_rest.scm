; framework: spring-data-rest   needs: "RepositoryRestResource" "@RestResource"   emits: http.provides   settings: "server.servlet.context-path|server.context-path spring.data.rest.base-path"

; Where its entities are: said, or the plural of their type.
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_annotation
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @prefix)) @_said)))
  @scope
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#eq? @_key "path")
  (#set! style "loose"))
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation)
    (annotation name: (identifier) @_annotation arguments: (_) @_said)])
  (extends_interfaces (type_list . (generic_type (type_arguments . (_) @prefix))))) @scope
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bpath\\s*=")
  (#set! word "")
  (#set! style "plural"))

; The collection, an item of it.
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation)
    (annotation name: (identifier) @_annotation arguments: (_) @_said)] @site)
  name: (_) @handler)
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! bare "")
  (#set! method "GET"))
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation)
    (annotation name: (identifier) @_annotation arguments: (_) @_said)] @site))
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! method "POST"))
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation @site)
    (annotation name: (identifier) @_annotation @site arguments: (_) @_said)])
  name: (_) @handler)
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! append "/{id}")
  (#set! method "GET"))
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation @site)
    (annotation name: (identifier) @_annotation @site arguments: (_) @_said)]))
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! method "PUT"))
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation @site)
    (annotation name: (identifier) @_annotation @site arguments: (_) @_said)]))
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! method "PATCH"))
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation @site)
    (annotation name: (identifier) @_annotation @site arguments: (_) @_said)]))
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! method "DELETE"))

; Its queries, by their names or as said.
((interface_declaration
  (modifiers [
    (marker_annotation name: (identifier) @_annotation)
    (annotation name: (identifier) @_annotation arguments: (_) @_said)])
  body: (interface_body (method_declaration (modifiers)? @_head name: (identifier) @handler @path @site)))
  (#any-of? @_annotation "RepositoryRestResource" "RestResource")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#not-match? @_head "@RestResource\\s*\\([^)]*\\b(path|exported)\\s*=")
  (#match? @handler "^(find|get|read|query|search|stream|count|exists)\\w*By[A-Z]")
  (#not-match? @handler "ById$")
  (#set! word "")
  (#set! prefix "/search/")
  (#set! method "GET"))
((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_annotation
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @path)) @_said) @site)
  name: (identifier) @handler))
  (#eq? @_annotation "RestResource")
  (#eq? @_key "path")
  (#not-match? @_said "\\bexported\\s*=\\s*false")
  (#set! prefix "/search/")
  (#set! method "GET"))
