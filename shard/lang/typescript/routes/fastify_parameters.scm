; framework: fastify   needs: "astify" "(request, reply)" "(req, reply)" "(_request, reply)" "(_req, reply)" "reply.send(" "reply.code("   emits: http.provides

(formal_parameters . (_ pattern: (identifier) @bind) (#match? @bind "(?i)^(fastify|app|server|instance|api|route[rs]?)$"))
(formal_parameters (_ pattern: (identifier) @bind type: (type_annotation (_) @_type)) (#match? @_type "^FastifyInstance\\b"))
(public_field_definition name: (property_identifier) @bind type: (type_annotation (_) @_type) (#match? @_type "^FastifyInstance\\b"))
(call_expression
  function: (member_expression property: (property_identifier) @_register)
  arguments: (arguments . [
    (arrow_function parameters: (formal_parameters . (_ pattern: (identifier) @bind)))
    (function_expression parameters: (formal_parameters . (_ pattern: (identifier) @bind)))
    (arrow_function parameter: (identifier) @bind)
  ])
  (#eq? @_register "register"))
