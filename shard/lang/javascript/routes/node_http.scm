; framework: node_http   needs: "'http'" "'https'" "node:http'" "node:https'" "follow-redirects'"   emits: http.consumes

(variable_declarator
  name: (identifier) @bind
  value: [
    (call_expression function: (identifier) @_require arguments: (arguments (string) @_module))
    (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments (string) @_module)))
  ]
  (#eq? @_require "require")
  (#match? @_module "^.(node:https?|https?|follow-redirects).$"))
(import_statement
  (import_clause [(identifier) @bind (namespace_import (identifier) @bind)])
  source: (string) @_module
  (#match? @_module "^.(node:)?https?.$"))

; http.request(url, { method }), http.get(url)
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_call)
  arguments: (arguments . [(string) (template_string) (binary_expression) (new_expression)] @path)) @site
  (#any-of? @_call "request" "get")
  (#set! default "GET"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_call)
  arguments: (arguments . (_) . (_) @options)) @site
  (#eq? @_call "request")
  (#set! verb "method"))

; http.request({ host, path, method })
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_call)
  arguments: (arguments . (_) @options)) @site
  (#any-of? @_call "request" "get")
  (#set! path "path pathname")
  (#set! base "hostname host")
  (#set! verb "method")
  (#set! prefix "http://")
  (#set! default "GET"))
