; framework: wordpress   needs: "register_rest_route"   emits: http.provides

; register_rest_route("shop/v1", "/orders/(?P<id>\d+)", ["methods" => "GET", "callback" => ...]), or a list of such arrays
((function_call_expression
  function: [(name) (qualified_name)] @_register
  arguments: (arguments . (argument (_) @base .) . (argument (_) @path .) . (argument))) @site
  (#match? @_register "^\\\\?register_rest_route$")
  (#set! prefix "/wp-json/")
  (#set! default "GET")
  (#set! style "regex"))
; each OPEN CLOSE
;   |
;   (array_creation_expression (array_element_initializer . | .))
((function_call_expression
  function: [(name) (qualified_name)] @_register
  arguments: (arguments . (argument) . (argument) . (argument $OPEN(array_creation_expression
    (array_element_initializer . (string) @_key . [(string) @method (array_creation_expression (array_element_initializer (string) @method))] .))$CLOSE .))) @site
  (#match? @_register "^\\\\?register_rest_route$")
  (#match? @_key "^['\"]methods['\"]$"))
; each NAME METHOD
;   READABLE | GET
;   CREATABLE | POST
;   EDITABLE | POST
;   EDITABLE | PUT
;   EDITABLE | PATCH
;   DELETABLE | DELETE
;   ALLMETHODS | ANY
((function_call_expression
  function: [(name) (qualified_name)] @_register
  arguments: (arguments . (argument) . (argument) . (argument $OPEN(array_creation_expression
    (array_element_initializer . (string) @_key . (class_constant_access_expression (_) (name) @_constant) .))$CLOSE .))) @site
  (#match? @_register "^\\\\?register_rest_route$")
  (#match? @_key "^['\"]methods['\"]$")
  (#eq? @_constant "$NAME")
  (#set! method "$METHOD"))
; end
; end
