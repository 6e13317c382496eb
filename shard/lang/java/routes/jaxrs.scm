; framework: jaxrs   needs: "ws.rs" "ServletContainer"   emits: http.provides   settings: "server.servlet.context-path|server.context-path|quarkus.http.root-path spring.jersey.application-path|quarkus.resteasy.path|quarkus.rest.path"

; @Path on the class
((class_declaration
  (modifiers (annotation
    name: (identifier) @_path
    arguments: (annotation_argument_list [
      (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
      (element_value_pair value: (_) @prefix)]))))
  @scope
  (#eq? @_path "Path")
  (#set! style "loose"))

((interface_declaration
  (modifiers (annotation
    name: (identifier) @_path
    arguments: (annotation_argument_list [
      (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
      (element_value_pair value: (_) @prefix)]))))
  @scope
  (#eq? @_path "Path")
  (#set! style "loose"))

; what a class is derived from it answers, too
((class_declaration) @scope
  (#set! counts ""))
(class_declaration [
  (superclass [(type_identifier) @class (generic_type . (type_identifier) @class)])
  (super_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))]) @scope
(interface_declaration
  (extends_interfaces (type_list [(type_identifier) @class (generic_type . (type_identifier) @class)]))) @scope

; @HttpMethod("PATCH") @interface PATCH: an annotation that is a verb
((annotation_type_declaration
  (modifiers (annotation
    name: (identifier) @_http
    arguments: (annotation_argument_list [
      (string_literal) @method (field_access) @method (identifier) @method (element_value_pair value: (_) @method)])))) @scope
  (#eq? @_http "HttpMethod"))
((class_declaration
  body: (class_body (method_declaration
    (modifiers (marker_annotation name: (identifier) @class) @site)
    name: (identifier) @handler)))
  (#not-match? @class "^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|Override|Deprecated|Transactional|PermitAll|Valid|Inject)$")
  (#set! composed "")
  (#set! style "jaxrs")
  (#set! derived "prefixed")
  (#set! bare ""))
((class_declaration
  body: (class_body (method_declaration
    (modifiers
      (marker_annotation name: (identifier) @class) @site
      (annotation
        name: (identifier) @_path
        arguments: (annotation_argument_list [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_pair value: (_) @path)]))))))
  (#not-match? @class "^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|Override|Deprecated|Transactional|PermitAll|Valid|Inject)$")
  (#eq? @_path "Path")
  (#set! composed ""))

; @GET and its kin
((class_body (method_declaration
  (modifiers (marker_annotation name: (identifier) @method) @site)
  name: (identifier) @handler))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! style "jaxrs")
  (#set! derived "prefixed")
  (#set! bare ""))
((interface_body (method_declaration
  (modifiers (marker_annotation name: (identifier) @method) @site)
  name: (identifier) @handler))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! style "jaxrs")
  (#set! derived "")
  (#set! bare ""))

; @Path on the method, after the verb or before
((method_declaration
  (modifiers
    (marker_annotation name: (identifier) @_verb) @site
    (annotation
      name: (identifier) @_path
      arguments: (annotation_argument_list [
        (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
        (element_value_pair value: (_) @path)]))))
  (#any-of? @_verb "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_path "Path"))
((method_declaration
  (modifiers
    (annotation
      name: (identifier) @_path
      arguments: (annotation_argument_list [
        (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
        (element_value_pair value: (_) @path)]))
    (marker_annotation name: (identifier) @_verb) @site))
  (#any-of? @_verb "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_path "Path"))

; A locator, @Path without a verb: what the type that it gives says, below its path; Class<T> gives a T, too
((class_declaration
  (modifiers (annotation name: (identifier) @_class))
  body: (class_body (method_declaration
    (modifiers (annotation
      name: (identifier) @_path
      arguments: (annotation_argument_list [
        (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
        (element_value_pair value: (_) @path)])) @site) @_modifiers
    type: [
      (type_identifier) @handler
      (generic_type . (type_identifier) @_wrapper . (type_arguments . (type_identifier) @handler .))])))
  (#eq? @_class "Path")
  (#eq? @_path "Path")
  (#not-match? @_modifiers "@(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\\b")
  (#set! style "loose")
  (#set! class ""))

; What a type says when a locator gives it: its own @Path does not count
((_
  name: (identifier) @class
  body: (_ (method_declaration
    (modifiers (marker_annotation name: (identifier) @method)) @site
    name: (identifier) @handler)))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS"))
((_
  name: (identifier) @class
  body: (_ (method_declaration
    (modifiers
      (annotation
        name: (identifier) @_path
        arguments: (annotation_argument_list [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_pair value: (_) @path)]))) @site)))
  (#eq? @_path "Path")
  (#match? @site "@(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\\b")
  (#set! style "loose"))
((_
  name: (identifier) @class
  body: (_ (method_declaration
    (modifiers
      (annotation
        name: (identifier) @_path
        arguments: (annotation_argument_list [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_pair value: (_) @path)]))) @site
    type: [
      (type_identifier) @handler
      (generic_type . (type_identifier) @_wrapper . (type_arguments . (type_identifier) @handler .))])))
  (#eq? @_path "Path")
  (#not-match? @site "@(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\\b")
  (#set! style "loose")
  (#set! class ""))

; @ApplicationPath("/api"): for all of the application
((class_declaration
  (modifiers (annotation
    name: (identifier) @_application
    arguments: (annotation_argument_list [
      (string_literal) @prefix (binary_expression) @prefix (identifier) @prefix (field_access) @prefix
      (element_value_pair value: (_) @prefix)]))))
  (#eq? @_application "ApplicationPath")
  (#set! style "loose")
  (#set! global ""))

; a servlet that answers for all resources, what holds it, and where it is mounted
((object_creation_expression type: (type_identifier) @_servlet) @instance
  (#any-of? @_servlet "ServletContainer" "HttpServletDispatcher" "HttpServlet30Dispatcher" "CXFServlet"))
((object_creation_expression
  type: [(type_identifier) @_holder (generic_type . (type_identifier) @_holder)]
  arguments: (argument_list (_) @object)) @instance
  (#any-of? @_holder "ServletHolder" "ServletRegistrationBean"))
((method_invocation
  name: (identifier) @_add
  arguments: (argument_list . (_) @object . (_) @prefix .))
  (#eq? @_add "addServlet")
  (#set! style "loose")
  (#set! global "held"))
((object_creation_expression
  type: [(type_identifier) @_holder (generic_type . (type_identifier) @_holder)]
  arguments: (argument_list . (_) @object . (_) @prefix))
  (#eq? @_holder "ServletRegistrationBean")
  (#set! style "loose")
  (#set! global "held"))
((method_invocation
  object: (method_invocation
    name: (identifier) @_add
    arguments: (argument_list . (_) . (_) @object .))
  name: (identifier) @_mapping
  arguments: (argument_list . (_) @prefix .))
  (#eq? @_add "addServlet")
  (#eq? @_mapping "addMapping")
  (#set! style "loose")
  (#set! global "held"))
