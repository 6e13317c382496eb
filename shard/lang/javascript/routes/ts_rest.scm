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
