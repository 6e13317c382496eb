; framework: express   needs: "express'" "express-promise-router'" "restify'" "polka'" "restana'" "app.get(" "app.post(" "app.put(" "app.delete(" "app.patch(" "app.all(" "app.use(" ".use('" "outer.get(" "outer.post(" "outer.put(" "outer.delete(" "outer.patch(" "outer.all(" "outer.use(" ".route('" ".route(`" "server.get(" "server.post("   unless: "koa-router'" "koa/router'" "fastify'" "hono'" "(request, reply)" "(req, reply)" "(_request, reply)" "(_req, reply)" "(_, reply)" "reply.send(" "reply.code("   emits: http.provides   only: javascript

(formal_parameters (identifier) @bind (#match? @bind "^(app|server|router|[a-z]+Router)$"))
(field_definition
  property: (property_identifier) @bind
  value: (call_expression function: [(identifier) (member_expression)] @_make)
  (#match? @_make "^(express|(express\\.)?Router)$"))
