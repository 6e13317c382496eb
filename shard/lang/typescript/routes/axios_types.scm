; framework: axios   needs: "axios" "$http" "Vue.http" "interceptors.request." "config.url ="   emits: http.consumes

(formal_parameters (_ pattern: (identifier) @bind type: (type_annotation (_) @_type)) (#match? @_type "^Axios(Instance|Static)$"))
(public_field_definition name: (property_identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "^Axios(Instance|Static)$"))
(public_field_definition
  name: (_) @bind
  value: (call_expression function: (member_expression) @_create)
  (#match? @_create "(?i)axios\\w*\\.create$"))
(public_field_definition
  name: (_) @bind
  value: (call_expression function: (member_expression) @_create arguments: (arguments . (_) @options))
  (#match? @_create "(?i)axios\\w*\\.create$")
  (#set! prefixed "baseURL"))
