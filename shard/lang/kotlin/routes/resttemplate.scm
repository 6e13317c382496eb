; framework: resttemplate   needs: "RestTemplate" "restTemplate" "RestOperations"   emits: http.consumes

(property_declaration
  (variable_declaration (simple_identifier) @bind)
  (call_expression (simple_identifier) @_type)
  (#eq? @_type "RestTemplate"))
(property_declaration
  (variable_declaration (simple_identifier) @bind (user_type (type_identifier) @_type))
  (#any-of? @_type "RestTemplate" "RestOperations"))
(class_parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#any-of? @_type "RestTemplate" "RestOperations"))
(parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#any-of? @_type "RestTemplate" "RestOperations"))

(class_declaration (type_identifier) @bind (delegation_specifier (constructor_invocation (user_type) @_base))
  (#eq? @_base "RestTemplate")
  (#set! typed ""))

((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? @method "getForObject" "getForEntity" "postForObject" "postForEntity" "postForLocation" "patchForObject"
    "headForHeaders" "optionsForAllow")
  (#not-match? @object "(?i)test")
  (#set! anyone ""))
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @method))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? @method "put" "delete"))
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @_call))
  (call_suffix (value_arguments . (value_argument) @path . (value_argument) @method . (value_argument)))) @site
  (#any-of? @_call "exchange" "execute"))
