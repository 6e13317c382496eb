; framework: fastify   needs: "astify" "(request, reply)" "(req, reply)" "(_request, reply)" "(_req, reply)" "reply.send(" "reply.code("   emits: http.provides   only: javascript

(formal_parameters . (identifier) @bind (#match? @bind "(?i)^(fastify|app|server|instance|api|route[rs]?)$"))
(call_expression
  function: (member_expression property: (property_identifier) @_register)
  arguments: (arguments . [
    (arrow_function parameters: (formal_parameters . (identifier) @bind))
    (function_expression parameters: (formal_parameters . (identifier) @bind))
    (arrow_function parameter: (identifier) @bind)
  ])
  (#eq? @_register "register"))
