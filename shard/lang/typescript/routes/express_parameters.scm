; framework: express   needs: "express'" "express-promise-router'" "restify'" "polka'" "restana'" "app.get(" "app.post(" "app.put(" "app.delete(" "app.patch(" "app.all(" "app.use(" ".use('" "outer.get(" "outer.post(" "outer.put(" "outer.delete(" "outer.patch(" "outer.all(" "outer.use(" ".route('" ".route(`" "server.get(" "server.post("   unless: "koa-router'" "koa/router'" "fastify'" "hono'" "(request, reply)" "(req, reply)" "(_request, reply)" "(_req, reply)" "(_, reply)" "reply.send(" "reply.code("   emits: http.provides

(formal_parameters (_ pattern: (identifier) @bind) (#match? @bind "^(app|server|router|[a-z]+Router)$"))
(formal_parameters (_ pattern: (identifier) @bind type: (type_annotation (_) @_type))
  (#match? @_type "^((express|core)\\.)?(Express|Application|I?Router)$"))
(public_field_definition name: (property_identifier) @bind type: (type_annotation (_) @_type)
  (#match? @_type "^((express|core)\\.)?(Express|Application|I?Router)$"))
