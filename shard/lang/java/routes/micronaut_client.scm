; framework: micronaut-client   needs: "micronaut.http"   emits: http.consumes

; @Client("users"), (id = "users", path = "/x")
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_client
    arguments: (annotation_argument_list [
      (string_literal) @service (binary_expression) @service (identifier) @service (field_access) @service
      (element_value_pair key: (identifier) @_key value: (_) @service)])))) @scope
  (#eq? @_client "Client")
  (#any-of? @_key "value" "id"))
((interface_declaration
  (modifiers (annotation
    name: (identifier) @_client
    arguments: (annotation_argument_list (element_value_pair key: (identifier) @_key value: (_) @prefix)))))
  @scope
  (#eq? @_client "Client")
  (#eq? @_key "path"))

; what it is derived from it calls, too; an interface without @Client says nothing by itself
((interface_declaration
  (modifiers [(marker_annotation name: (identifier) @_client) (annotation name: (identifier) @_client)])) @scope
  (#eq? @_client "Client")
  (#set! counts ""))
(interface_declaration
  (extends_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))) @scope
((interface_body (method_declaration
  (modifiers [
    (marker_annotation name: (identifier) @method)
    (annotation name: (identifier) @method)] @site)))
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#set! derived "")
  (#set! bare ""))
((interface_body (method_declaration
  (modifiers (annotation
    name: (identifier) @_verb
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_array_initializer (_) @path)])])) @site)))
  (#any-of? @_verb "Get" "Post" "Put" "Delete" "Patch" "Head" "Options")
  (#any-of? @_key "value" "uri" "uris"))

; HttpRequest.GET(url)
((method_invocation
  object: (identifier) @_type
  name: (identifier) @method
  arguments: (argument_list . (_) @path)) @site
  (#eq? @_type "HttpRequest")
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD"))
