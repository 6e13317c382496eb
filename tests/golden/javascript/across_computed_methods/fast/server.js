const fastify = require('fastify')();

const route = (method, path, handler) => fastify[method](path, handler);
route('get', '/health', async (request, reply) => 1);
fastify.listen({ port: 1 });
