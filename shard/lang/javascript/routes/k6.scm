; framework: k6   needs: "k6/http'"   emits: http.consumes   scope: devtool

(import_statement
  (import_clause [(identifier) @bind (namespace_import (identifier) @bind)])
  source: (string) @_module
  (#match? @_module "^.k6/http.$"))
((call_expression function: (identifier) @_require arguments: (arguments (string) @_module)) @instance
  (#eq? @_require "require")
  (#match? @_module "^.k6/http.$"))

; http.get(url)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (arguments . (_) @path)) @site
  (#any-of? @method "get" "post" "put" "del" "patch" "head" "options"))

; http.get`https://users/${id}`
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @method)
  arguments: (template_string) @path) @site
  (#any-of? @method "get" "post" "put" "del" "patch" "head" "options"))

; http.request("GET", url)
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_request)
  arguments: (arguments . (_) @method . (_) @path)) @site
  (#any-of? @_request "request" "asyncRequest"))

; http.batch([["GET", url], { method: "GET", url }])
((call_expression
  function: (member_expression object: (_) @object property: (property_identifier) @_batch)
  arguments: (arguments . (array (array . (_) @method . (_) @path) @site)))
  (#eq? @_batch "batch"))
