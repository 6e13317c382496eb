; framework: hapi   needs: "hapi'" "hapi/hapi'"   emits: http.provides

([(new_expression constructor: (_) @_make) (call_expression function: (_) @_make)] @instance (#match? @_make "(?i)^hapi\\.(server|Server)$"))

; server.route({ method, path, handler }), server.route([...])
((call_expression
  function: (member_expression property: (property_identifier) @_route)
  arguments: (arguments . (_) @options)) @site
  (#eq? @_route "route")
  (#set! path "path")
  (#set! verb "method")
  (#set! handler "handler"))
(call_expression
  function: (member_expression property: (property_identifier) @_route)
  arguments: (arguments . (array (object) @options @site))
  (#eq? @_route "route")
  (#set! path "path")
  (#set! verb "method")
  (#set! handler "handler"))
