; framework: jaxrs   needs: "ws.rs" "ServletContainer"   emits: http.provides   settings: "server.servlet.context-path|server.context-path|quarkus.http.root-path spring.jersey.application-path|quarkus.resteasy.path|quarkus.rest.path"

; @Path on a class or interface
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_path)
    (value_arguments (value_argument
      . (simple_identifier)? @_key
      . [(string_literal) @prefix (additive_expression) @prefix (navigation_expression) @prefix] .)))))) @scope
  (#eq? @_path "Path")
  (#set! style "loose"))

; what a class is derived from it answers, too
((class_declaration "class") @scope
  (#set! counts ""))
(class_declaration (delegation_specifier [
  (user_type . (type_identifier) @class)
  (constructor_invocation (user_type . (type_identifier) @class))])) @scope

; @GET and its kin
((class_declaration "class" (class_body (function_declaration
  (modifiers (annotation (user_type (type_identifier) @method)) @site)
  (simple_identifier) @handler)))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! style "jaxrs")
  (#set! derived "prefixed")
  (#set! bare ""))
((class_declaration "interface" (class_body (function_declaration
  (modifiers (annotation (user_type (type_identifier) @method)) @site)
  (simple_identifier) @handler)))
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#set! style "jaxrs")
  (#set! derived "")
  (#set! bare ""))

; @Path on the method, after the verb or before
((function_declaration
  (modifiers
    (annotation (user_type (type_identifier) @_verb)) @site
    (annotation (constructor_invocation
      (user_type (type_identifier) @_path)
      (value_arguments (value_argument . (simple_identifier)? @_key . [(string_literal) @path (additive_expression) @path (navigation_expression) @path] .))))))
  (#any-of? @_verb "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_path "Path"))
((function_declaration
  (modifiers
    (annotation (constructor_invocation
      (user_type (type_identifier) @_path)
      (value_arguments (value_argument . (simple_identifier)? @_key . [(string_literal) @path (additive_expression) @path (navigation_expression) @path] .))))
    (annotation (user_type (type_identifier) @_verb)) @site))
  (#any-of? @_verb "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS")
  (#eq? @_path "Path"))

; @ApplicationPath("/api"): for all of the application
((class_declaration
  (modifiers (annotation (constructor_invocation
    (user_type (type_identifier) @_path)
    (value_arguments (value_argument
      . (simple_identifier)? @_key
      . [(string_literal) @prefix (additive_expression) @prefix (navigation_expression) @prefix] .))))))
  (#eq? @_path "ApplicationPath")
  (#set! style "loose")
  (#set! global ""))

; a servlet that answers for all resources, what holds it, and where it is mounted
((call_expression . (simple_identifier) @_servlet) @instance
  (#any-of? @_servlet "ServletContainer" "HttpServletDispatcher" "HttpServlet30Dispatcher" "CXFServlet"))
((call_expression
  . (simple_identifier) @_holder
  (call_suffix (value_arguments (value_argument (_) @object)))) @instance
  (#any-of? @_holder "ServletHolder" "ServletRegistrationBean"))
((call_expression
  (navigation_expression (navigation_suffix (simple_identifier) @_add))
  (call_suffix (value_arguments . (value_argument (_) @object) . (value_argument (_) @prefix) .)))
  (#eq? @_add "addServlet")
  (#set! style "loose")
  (#set! global "held"))
((call_expression
  . (simple_identifier) @_holder
  (call_suffix (value_arguments . (value_argument (_) @object) . (value_argument (_) @prefix))))
  (#eq? @_holder "ServletRegistrationBean")
  (#set! style "loose")
  (#set! global "held"))
((call_expression
  (navigation_expression
    (call_expression
      (navigation_expression (navigation_suffix (simple_identifier) @_add))
      (call_suffix (value_arguments . (value_argument) . (value_argument (_) @object) .)))
    (navigation_suffix (simple_identifier) @_mapping))
  (call_suffix (value_arguments . (value_argument (_) @prefix) .)))
  (#eq? @_add "addServlet")
  (#eq? @_mapping "addMapping")
  (#set! style "loose")
  (#set! global "held"))
