; framework: http4s   needs: "org.http4s"   emits: http.provides

; HttpRoutes.of[IO] { case .. }, Router("/api" -> routes)
((call_expression
  function: [(generic_function function: (field_expression value: (identifier) @_routes field: (identifier) @_of))
    (field_expression value: (identifier) @_routes field: (identifier) @_of)]
  arguments: (case_block) @scope) @instance @object
  (#match? @_routes "Routes$")
  (#match? @_of "^(of|strict|apply)$")
  (#set! prefix ""))
; each VERB
;   GET
;   POST
;   PUT
;   PATCH
;   DELETE
;   HEAD
; case GET -> Root / "orders" / IntVar(id) => .., case request @ POST -> Root / "orders" => ..
((case_clause pattern: (_) @path) @site
  (#match? @path "^\\(?\\s*(\\w+\\s*@\\s*)?\\(?\\s*(Method\\.)?$VERB\\b\\s*->\\s*Root\\b")
  (#set! word "")
  (#set! style "segments")
  (#set! method "$VERB"))
; end

; Router("/api" -> orders.routes, "/" -> health)
((call_expression
  function: [(identifier) @_router (generic_function function: (identifier) @_router)]
  arguments: (arguments (infix_expression left: (_) @prefix operator: (_) @_to right: (_) @bind))) @object
  (#eq? @_router "Router")
  (#eq? @_to "->")
  (#set! style "loose"))
((call_expression
  function: [(identifier) @_router (generic_function function: (identifier) @_router)]) @instance
  (#eq? @_router "Router")
  (#set! prefix ""))
; orders.routes <+> users.routes
((infix_expression left: (_) @bind operator: (_) @_or) @object
  (#eq? @_or "<+>")
  (#set! prefix ""))
((infix_expression operator: (_) @_or right: (_) @bind) @object
  (#eq? @_or "<+>")
  (#set! prefix ""))
((infix_expression operator: (_) @_or) @instance
  (#eq? @_or "<+>")
  (#set! prefix ""))
