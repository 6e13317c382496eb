const { OpenAPIBackend } = require("openapi-backend");
const handlers = require("./handlers");
const api = new OpenAPIBackend({
  definition: "./openapi.json",
  handlers: {
    getPets: async (c, req, res) => res.json([]),
    notFound: async (c, req, res) => res.status(404).json({}),
    ...handlers,
  },
});
api.init();
