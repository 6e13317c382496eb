; framework: nest   needs: "@nestjs/common" "routing-controllers'" "tsoa'" "overnightjs/core" "loopback/rest'" "setGlobalPrefix("   emits: http.provides

; @Controller("users"), @Controller({ path: "users" }), @Controller(["a", "b"])
((class_declaration decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments .
  [(string) (template_string) (identifier) (member_expression) (binary_expression)] @prefix)))) @scope
  (#any-of? @_c "Controller" "JsonController" "Route"))
((export_statement decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments .
  [(string) (template_string) (identifier) (member_expression) (binary_expression)] @prefix))) declaration: (_)) @scope
  (#any-of? @_c "Controller" "JsonController" "Route"))
((class_declaration decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments . (array (_) @prefix))))) @scope
  (#any-of? @_c "Controller" "JsonController" "Route"))
((export_statement decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments . (array (_) @prefix)))) declaration: (_)) @scope
  (#any-of? @_c "Controller" "JsonController" "Route"))
((class_declaration decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments . (object) @options)))) @scope
  (#any-of? @_c "Controller" "JsonController")
  (#set! prefixed "path"))
((export_statement decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments . (object) @options))) declaration: (_)) @scope
  (#any-of? @_c "Controller" "JsonController")
  (#set! prefixed "path"))

; @Get(":id") name() {}
((class_body
  (decorator (call_expression function: (identifier) @method arguments: (arguments . (_)? @path))) @site
  . (decorator)* . (comment)* . (method_definition name: (_) @handler))
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Options" "Head" "All" "get" "post" "put" "patch" "del")
  (#set! bare "")
  (#set! style "loose"))

; app.setGlobalPrefix("api")
((call_expression
  function: (member_expression property: (property_identifier) @_set)
  arguments: (arguments . (_) @prefix))
  (#eq? @_set "setGlobalPrefix")
  (#set! global ""))
