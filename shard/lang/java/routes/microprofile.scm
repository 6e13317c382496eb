; framework: microprofile-rest-client   needs: "RegisterRestClient"   emits: http.consumes

((interface_declaration
  (modifiers (annotation
    name: (identifier) @_client
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @service)))))
  @scope
  (#eq? @_client "RegisterRestClient")
  (#any-of? @_key "baseUri" "configKey"))
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_path
    arguments: (annotation_argument_list (_) @prefix)))) @scope
  (#eq? @_path "Path"))

((interface_body (method_declaration (modifiers (marker_annotation name: (identifier) @method) @site)))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! bare ""))
((interface_body (method_declaration
  (modifiers
    (marker_annotation name: (identifier) @_verb) @site
    (annotation name: (identifier) @_path arguments: (annotation_argument_list (_) @path)))))
  (#any-of? @_verb "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_path "Path"))
((interface_body (method_declaration
  (modifiers
    (annotation name: (identifier) @_path arguments: (annotation_argument_list (_) @path))
    (marker_annotation name: (identifier) @_verb) @site)))
  (#any-of? @_verb "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_path "Path"))
