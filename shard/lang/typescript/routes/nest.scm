; framework: nest   needs: "@nestjs/common" "routing-controllers'" "tsoa'" "overnightjs/core" "loopback/rest'" "setGlobalPrefix(" "enableVersioning("   emits: http.provides

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

; A controller answers what its bases say, too: class Orders extends Crud, extends Crud<Order>, extends CrudOf(Order)
((class_declaration decorator: (decorator (call_expression function: (identifier) @_c))) @scope
  (#any-of? @_c "Controller" "JsonController" "Route")
  (#set! counts "here"))
((export_statement decorator: (decorator (call_expression function: (identifier) @_c)) declaration: (_)) @scope
  (#any-of? @_c "Controller" "JsonController" "Route")
  (#set! counts "here"))
; each TYPE
;   class_declaration
;   abstract_class_declaration
($TYPE (class_heritage (extends_clause value: [(identifier) @class (call_expression function: (identifier) @class)]))) @scope
(export_statement declaration: ($TYPE (class_heritage (extends_clause value: [(identifier) @class (call_expression function: (identifier) @class)])))) @scope
; end

; @Get(":id") name() {}
((class_body
  (decorator (call_expression function: (identifier) @method arguments: (arguments . (_)? @path))) @site
  . (decorator)* . (comment)* . (method_definition name: (_) @handler))
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Options" "Head" "All" "get" "post" "put" "patch" "del")
  (#set! bare "")
  (#set! derived "")
  (#set! style "loose"))

; A decorator of the repository's own that is made of these: const ApiGet = (path) => applyDecorators(Guard(), Get(path))
([
  (call_expression function: (identifier) @_apply arguments: (arguments (call_expression function: (identifier) @method arguments: (arguments . (_) @path)) @site))
  (arrow_function body: (call_expression function: (identifier) @method arguments: (arguments . (_) @path)) @site)
  (return_statement (call_expression function: (identifier) @method arguments: (arguments . (_) @path)) @site)]
  (#eq? @_apply "applyDecorators")
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "All")
  (#set! called "")
  (#set! style "loose"))

; app.setGlobalPrefix("api", { exclude: ["health"] })
((call_expression
  function: (member_expression property: (property_identifier) @_set)
  arguments: (arguments . (_) @prefix))
  (#eq? @_set "setGlobalPrefix")
  (#set! global ""))
((call_expression
  function: (member_expression property: (property_identifier) @_set)
  arguments: (arguments . (_) @prefix . (object (pair key: (property_identifier) @_exclude value: (array) @except))))
  (#eq? @_set "setGlobalPrefix")
  (#eq? @_exclude "exclude"))

; app.enableVersioning({ type: VersioningType.URI, defaultVersion: "1" }): versions stand in paths
((call_expression
  function: (member_expression property: (property_identifier) @_enable)
  arguments: (arguments . (object) @options))
  (#eq? @_enable "enableVersioning")
  (#not-match? @options "VersioningType\\.(HEADER|MEDIA_TYPE|CUSTOM)")
  (#set! versioned "defaultVersion")
  (#set! prefixed "prefix")
  (#set! default "v")
  (#set! global ""))
((call_expression
  function: (member_expression property: (property_identifier) @_enable)
  arguments: (arguments) @options)
  (#eq? @_enable "enableVersioning")
  (#match? @options "^\\(\\s*\\)$")
  (#set! versioned "defaultVersion")
  (#set! default "v")
  (#set! global ""))
((class_declaration decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments . (object) @options)))) @scope
  (#eq? @_c "Controller")
  (#match? @options "\\bversion\\b")
  (#set! versioned "version"))
((export_statement decorator: (decorator (call_expression function: (identifier) @_c arguments: (arguments . (object) @options))) declaration: (_)) @scope
  (#eq? @_c "Controller")
  (#match? @options "\\bversion\\b")
  (#set! versioned "version"))
; @Version("2") @Get(), in either order
((class_body
  (decorator (call_expression function: (identifier) @_v arguments: (arguments . (_) @version)))
  . (decorator)*
  . (decorator (call_expression function: (identifier) @_get)) @site)
  (#eq? @_v "Version")
  (#any-of? @_get "Get" "Post" "Put" "Delete" "Patch" "Options" "Head" "All"))
((class_body
  (decorator (call_expression function: (identifier) @_get)) @site
  . (decorator)*
  . (decorator (call_expression function: (identifier) @_v arguments: (arguments . (_) @version))))
  (#eq? @_v "Version")
  (#any-of? @_get "Get" "Post" "Put" "Delete" "Patch" "Options" "Head" "All"))
