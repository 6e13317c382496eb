; framework: route_table   needs: "method: '" "method:'"   also: "handler"   emits: http.provides

; { method: "GET", path: "/users", handler }: rows that are given to a server elsewhere (hapi and others).
; What a function of this repository does with them is found there.
((object (pair key: (property_identifier) @_handler)) @site @options
  (#eq? @_handler "handler")
  (#set! path "path url")
  (#set! verb "method")
  (#set! handler "handler")
  (#set! anyone "foreign"))
