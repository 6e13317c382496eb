; framework: axios   needs: "axios" "$http" "Vue.http" "interceptors.request." "config.url ="   emits: http.consumes

; instance.interceptors.request.use(config => { config.baseURL = …; config.url = … }); of axios itself for all that have no base
((call_expression
  function: (member_expression
    object: (member_expression
      object: (member_expression object: (_) @bind property: (property_identifier) @_interceptors)
      property: (property_identifier) @_request)
    property: (property_identifier) @_use)
  arguments: (arguments . (_) @intercept))
  (#not-match? @bind "^(axios|Axios|(this\\.|Vue\\.prototype\\.)?\\$(http|axios))$")
  (#eq? @_interceptors "interceptors")
  (#eq? @_request "request")
  (#eq? @_use "use"))
((call_expression
  function: (member_expression
    object: (member_expression
      object: (member_expression object: (_) @object property: (property_identifier) @_interceptors)
      property: (property_identifier) @_request)
    property: (property_identifier) @_use)
  arguments: (arguments . (_) @intercept))
  (#match? @object "^(axios|Axios|(this\\.|Vue\\.prototype\\.)?\\$(http|axios))$")
  (#eq? @_interceptors "interceptors")
  (#eq? @_request "request")
  (#eq? @_use "use")
  (#set! global ""))
; axios.defaults.baseURL = "/api", Vue.http.options.root = "/api"
((assignment_expression
  left: (member_expression object: (member_expression object: (_) @object property: (_) @_defaults) property: (_) @_base)
  right: (_) @prefix)
  (#match? @object "^(axios|Axios|Vue\\.axios)$")
  (#eq? @_defaults "defaults")
  (#eq? @_base "baseURL")
  (#set! global ""))
((assignment_expression left: (member_expression) @_root right: (_) @prefix)
  (#match? @_root "^(Vue\\.http\\.options\\.root|(Vue\\.prototype\\.|this\\.)?\\$(http|axios)\\.defaults\\.baseURL)$")
  (#set! global ""))
; Vue.http.interceptors.push((request, next) => …), AngularJS: return { request: function (config) { … } }
((call_expression
  function: (member_expression) @_push
  arguments: (arguments . (_) @intercept))
  (#match? @_push "^(Vue\\.)?http\\.interceptors\\.push$")
  (#set! global ""))
([
  (return_statement (object (pair key: (_) @_request value: [(function_expression) (arrow_function)] @intercept)))
  (return_statement (object (method_definition name: (_) @_request) @intercept))
  (variable_declarator value: (object (pair key: (_) @_request value: [(function_expression) (arrow_function)] @intercept)))]
  (#match? @_request "^.?request.?$")
  (#set! global ""))

; What it does: to the options that it is given, or to a copy of them.
((assignment_expression left: (member_expression object: (identifier) @object property: (property_identifier) @_key) right: (_) @prefix)
  (#eq? @_key "baseURL")
  (#set! changes "base"))
((assignment_expression left: (member_expression object: (identifier) @object property: (property_identifier) @_key) right: (_) @prefix)
  (#eq? @_key "url")
  (#set! changes "url"))
((object (spread_element (identifier) @object) (pair key: (property_identifier) @_key value: (_) @prefix))
  (#eq? @_key "baseURL")
  (#set! changes "base"))
((object (spread_element (identifier) @object) (pair key: (property_identifier) @_key value: (_) @prefix))
  (#eq? @_key "url")
  (#set! changes "url"))
