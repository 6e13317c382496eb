; framework: axios   needs: "axios" "$http" "Vue.http" "interceptors.request." "config.url ="   emits: http.consumes

; Instances, which may have a base URL: made here, or members of a component.
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (member_expression) @_create)
  (#match? @_create "(?i)axios\\w*\\.create$"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression function: (member_expression) @_create arguments: (arguments . (_) @options))
  (#match? @_create "(?i)axios\\w*\\.create$")
  (#set! prefixed "baseURL"))
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (call_expression function: (member_expression) @_create)
  (#match? @_create "(?i)axios\\w*\\.create$"))
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (call_expression function: (member_expression) @_create arguments: (arguments . (_) @options))
  (#match? @_create "(?i)axios\\w*\\.create$")
  (#set! prefixed "baseURL"))
; Without a name: export default axios.create({ baseURL }), return axios.create()
((call_expression function: (member_expression) @_create) @instance
  (#match? @_create "(?i)axios\\w*\\.create$"))
((call_expression function: (member_expression) @_create arguments: (arguments . (_) @options)) @instance
  (#match? @_create "(?i)axios\\w*\\.create$")
  (#set! prefixed "baseURL"))
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (identifier) @_axios
  (#eq? @_axios "axios"))
(assignment_expression
  left: (member_expression object: (member_expression object: (_) @bind property: (property_identifier) @_defaults) property: (property_identifier) @_base)
  right: (_) @prefix
  (#eq? @_defaults "defaults")
  (#eq? @_base "baseURL"))
(import_statement
  (import_clause (identifier) @bind)
  source: (string) @_axios
  (#match? @_axios "^.axios(-retry|-mock)?.$|/axios.$"))
(import_specifier name: (identifier) @bind (#match? @bind "^axios[A-Z]\\w*$|^\\w+Axios$"))
(variable_declarator
  name: (identifier) @bind
  value: [
    (call_expression function: (identifier) @_require arguments: (arguments (string) @_axios))
    (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments (string) @_axios)))
  ]
  (#eq? @_require "require")
  (#match? @_axios "^.axios.$|/axios.$"))

(class_declaration name: (_) @bind (class_heritage) @_base
  (#match? @_base "^extends\\s+(axios\\.)?Axios$")
  (#set! typed ""))

; axios.get(url), this.$http.get(url)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options" "$get" "$post" "$put" "$delete" "$patch" "postForm" "putForm"))
((call_expression
  function: (member_expression object: [(identifier) (member_expression)] @_known property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#match? @_known "^(\\w+\\.)*(axios|\\$axios|\\$http|axiosRef|Vue\\.http)$")
  (#any-of? @method "get" "post" "put" "delete" "patch" "head" "options" "$get" "$post" "$put" "$delete" "$patch" "jsonp")
  (#set! anyone ""))

; axios({ method, url }), axios.request({ method, url }), axios(url, { method })
((call_expression
  function: (identifier) @object
  arguments: (arguments . (_) @options)) @site
  (#set! default "GET")
  (#set! path "url")
  (#set! verb "method")
  (#set! base "baseURL"))
((call_expression
  function: [(identifier) (member_expression)] @_known
  arguments: (arguments . (_) @options)) @site
  (#match? @_known "^(this\\.)?(\\$http|\\$axios)$")
  (#set! anyone "")
  (#set! default "GET")
  (#set! path "url")
  (#set! verb "method"))
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (_) @options)) @site
  (#any-of? @_request "request" "$request")
  (#set! default "GET")
  (#set! path "url")
  (#set! verb "method")
  (#set! base "baseURL"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . [(string) (template_string) (binary_expression)] @path)) @site
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . (identifier) @path)) @site
  (#not-match? @path "(?i)opt|conf|param|setting|arg|req")
  (#set! default "GET"))
((call_expression
  function: (identifier) @object
  arguments: (arguments . [(string) (template_string) (binary_expression)] . (_) @options)) @site
  (#set! verb "method"))
