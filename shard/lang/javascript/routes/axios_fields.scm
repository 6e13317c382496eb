; framework: axios   needs: "axios" "$http" "Vue.http" "interceptors.request." "config.url ="   emits: http.consumes   only: javascript

(field_definition
  property: (_) @bind
  value: (call_expression function: (member_expression) @_create)
  (#match? @_create "(?i)axios\\w*\\.create$"))
(field_definition
  property: (_) @bind
  value: (call_expression function: (member_expression) @_create arguments: (arguments . (_) @options))
  (#match? @_create "(?i)axios\\w*\\.create$")
  (#set! prefixed "baseURL"))
