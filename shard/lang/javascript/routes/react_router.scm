; framework: react-router   needs: "@react-router/dev/routes" "@remix-run/route-config"   unless: "flatRoutes("   emits: http.declares

; route("users/:id", "./users/one.tsx", [...]): the file's loader answers GET, its action what is sent; children are below its path
((call_expression function: (identifier) @_route arguments: (arguments . (_) @prefix . (string))) @scope
  (#eq? @_route "route")
  (#set! style "rails"))
((call_expression function: (identifier) @_prefix arguments: (arguments . (_) @prefix . (array))) @scope
  (#eq? @_prefix "prefix")
  (#set! style "rails"))
; each METHOD ACTION
;   GET | loader
;   POST | action
((call_expression function: (identifier) @_route arguments: (arguments . (_) . (string) @handler)) @site
  (#eq? @_route "route")
  (#set! method "$METHOD")
  (#set! bare "")
  (#set! style "rails")
  (#set! action "$ACTION"))
((call_expression function: (identifier) @_index arguments: (arguments . (string) @handler)) @site
  (#eq? @_index "index")
  (#set! method "$METHOD")
  (#set! bare "")
  (#set! style "rails")
  (#set! action "$ACTION"))
; end
