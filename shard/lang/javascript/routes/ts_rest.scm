; framework: ts_rest   needs: "ts-rest/core'"   emits: http.provides

; c.router({ one: { method: "GET", path: "/orders/:id", responses } }, { pathPrefix: "/api" }), nested or not
((object (pair key: (property_identifier) @_responses)) @site @options
  (#eq? @_responses "responses")
  (#set! path "path")
  (#set! verb "method"))
((call_expression
  function: (member_expression property: (property_identifier) @_router)
  arguments: (arguments . (object) . (object) @options)) @scope
  (#eq? @_router "router")
  (#set! prefixed "pathPrefix"))

; const users = c.router({ .. }), const users = { .. }: an object of routes with a name, and which one holds it
((variable_declarator name: (identifier) @object value: (object) @scope)
  (#set! prefix ""))
((variable_declarator
  name: (identifier) @object
  value: (call_expression
    function: (member_expression property: (property_identifier) @_router)
    arguments: (arguments . (object) .)) @scope)
  (#eq? @_router "router")
  (#set! prefix ""))
((variable_declarator
  name: (identifier) @object
  value: (call_expression
    function: (member_expression property: (property_identifier) @_router)
    arguments: (arguments . (object) . (object) @options)) @scope)
  (#eq? @_router "router")
  (#set! prefixed "pathPrefix"))
((variable_declarator
  name: (identifier) @object
  value: (object [(pair value: (identifier) @bind) (shorthand_property_identifier) @bind]))
  (#set! prefix ""))
((variable_declarator
  name: (identifier) @object
  value: (call_expression
    function: (member_expression property: (property_identifier) @_router)
    arguments: (arguments . [
      (identifier) @bind
      (object (pair value: (identifier) @bind))
      (object (shorthand_property_identifier) @bind)] .)))
  (#eq? @_router "router")
  (#set! prefix ""))
((variable_declarator
  name: (identifier) @object
  value: (call_expression
    function: (member_expression property: (property_identifier) @_router)
    arguments: (arguments . [
      (identifier) @bind
      (object (pair value: (identifier) @bind))
      (object (shorthand_property_identifier) @bind)] . (object) @options)))
  (#eq? @_router "router")
  (#set! prefixed "pathPrefix"))
