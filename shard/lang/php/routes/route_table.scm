; framework: route_table   needs: "'middleware'" "'handler'" "'controller'"   also: "'path'" "'url'" "'route'"   emits: http.provides

; ["path" => "/users", "middleware" => Show::class, "allowed_methods" => ["GET"]]: rows that are given to a server elsewhere
((array_creation_expression
  (array_element_initializer . (string) @_key . (_) .)
  (array_element_initializer . (string) @_methods . (_) .)) @site @options
  (#match? @_key "^['\"](path|url|route)['\"]$")
  (#match? @_methods "^['\"](allowed_methods|methods|method|verb)['\"]$")
  (#set! path "path url route")
  (#set! verb "allowed_methods methods method verb")
  (#set! handler "middleware handler controller")
  (#set! sure "")
  (#set! style "brackets")
  (#set! anyone "foreign"))
