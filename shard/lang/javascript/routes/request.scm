; framework: request   needs: "'request'" "/request'" "request-promise" "superagent" "'got'" "/got'" "'needle'" "'ky'" "/ky'" "ky-universal'" "'undici'" "'wretch'" "requestretry'" "'phin'" "rxjs/ajax'" "umi-request'" "'umi'" "@umijs/max'"   emits: http.consumes

; The module, under the name that it is required by; what is made from it may have a base URL.
(variable_declarator
  name: (identifier) @bind
  value: [
    (call_expression function: (identifier) @_require arguments: (arguments (string) @_module))
    (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments (string) @_module)))
    (call_expression function: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments (string) @_module))))
  ]
  (#eq? @_require "require")
  (#match? @_module "^.(request|request-promise|request-promise-native|requestretry|superagent|got|needle|ky|ky-universal|phin).$"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @bind)
  value: (call_expression function: (identifier) @_require arguments: (arguments (string) @_module))
  (#eq? @_require "require")
  (#eq? @bind "request")
  (#match? @_module "^.undici.$"))
(import_statement
  (import_clause [(identifier) @bind (namespace_import (identifier) @bind)])
  source: (string) @_module
  (#match? @_module "^.(request|request-promise|request-promise-native|requestretry|superagent|got|needle|ky|ky-universal|phin).$"))
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @bind)))
  source: (string) @_module
  (#any-of? @bind "request" "got" "ajax")
  (#match? @_module "^.(undici|got|rxjs/ajax|umi|umi-request|@umijs/max).$"))
((call_expression function: (_) @_make arguments: (arguments . (_) @_of)) @instance
  (#match? @_make "^((util|bluebird|Promise|Bluebird)\\.)?promisify(All)?$|^superagent")
  (#match? @_of "(?i)^_?(request|rp|superagent)(\\.\\w+)?$|^require"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @_make) arguments: (arguments . (_) @options))
  (#not-match? @object "(?i)^object$|axios|fetch$")
  (#any-of? @_make "defaults" "extend" "create" "agent")
  (#set! prefixed "baseUrl baseURL prefixUrl prefix"))
((call_expression function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)) @instance
  (#match? @_module "^(request|rp|got|ky|superagent)$")
  (#any-of? @_make "defaults" "extend" "create" "agent"))

; Without a name: module.exports = got.extend({ prefixUrl }), export default ky.create({ prefixUrl })
([
  (export_statement value: (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)) @instance)
  (assignment_expression right: (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)) @instance)
  (return_statement (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)) @instance)
  (arrow_function body: (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)) @instance)]
  (#match? @_module "^(got|ky)$")
  (#any-of? @_make "extend" "create"))
([
  (export_statement value: (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)
    arguments: (arguments . (_) @options)) @instance)
  (assignment_expression right: (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)
    arguments: (arguments . (_) @options)) @instance)
  (return_statement (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)
    arguments: (arguments . (_) @options)) @instance)
  (arrow_function body: (call_expression
    function: (member_expression object: (identifier) @_module property: (property_identifier) @_make)
    arguments: (arguments . (_) @options)) @instance)]
  (#match? @_module "^(got|ky)$")
  (#any-of? @_make "extend" "create")
  (#set! prefixed "prefixUrl prefix"))

; undici: its request under another name, pools and clients of one origin
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @_name alias: (identifier) @bind)))
  source: (string) @_module
  (#any-of? @_name "request" "fetch")
  (#match? @_module "^.undici.$"))
(import_statement (import_clause [(identifier) @bind (namespace_import (identifier) @bind)]) source: (string) @_module
  (#match? @_module "^.undici.$"))
((call_expression function: (identifier) @_require arguments: (arguments (string) @_module)) @instance
  (#eq? @_require "require")
  (#match? @_module "^.undici.$"))
((new_expression constructor: [(identifier) (member_expression)] @_make arguments: (arguments . (_) @prefix)) @instance
  (#match? @_make "^(undici\\.)?(Pool|Client)$"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . [(string) (template_string) (binary_expression) (identifier)] @path . (_)? @options)) @site
  (#eq? @_request "request")
  (#set! verb "method")
  (#set! default "GET"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (object) @options)) @site
  (#eq? @_request "request")
  (#set! path "path url")
  (#set! verb "method")
  (#set! default "GET"))

; request(url), request(url, { method }), request({ url, method })
((call_expression
  function: (identifier) @object
  arguments: (arguments . [(string) (template_string) (binary_expression) (member_expression) (call_expression) (new_expression)] @path)) @site
  (#not-match? @path "(?i)^.(get|post|put|delete|patch|head).$")
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . (identifier) @path)) @site
  (#not-match? @path "(?i)opt|conf|param|setting|arg")
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . [(string) (template_string) (binary_expression) (member_expression) (call_expression) (identifier)] . (_) @options)) @site
  (#set! verb "method"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . (_) @options)) @site
  (#set! path "url uri")
  (#set! verb "method")
  (#set! base "baseUrl prefixUrl")
  (#set! default "GET"))

; superagent("GET", url), needle("get", url)
((call_expression
  function: (identifier) @object
  arguments: (arguments . (string) @method . (_) @path)) @site
  (#match? @method "(?i)^.(get|post|put|delete|patch|head).$"))

; request.post(url), request.put({ url })
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string) (binary_expression) (member_expression) (call_expression) (identifier) (new_expression)] @path)) @site
  (#any-of? @method "get" "getJSON" "post" "put" "delete" "del" "patch" "head"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @method)
  arguments: (arguments . (object) @options)) @site
  (#any-of? @method "get" "post" "put" "delete" "del" "patch" "head")
  (#set! path "url uri")
  (#set! base "baseUrl prefixUrl"))
