const fastify = require('fastify')({ logger: true });

fastify.get('/items', async () => items());
fastify.route({ method: 'DELETE', url: '/items/:id', handler: async (request, reply) => reply.code(204).send() });
fastify.addHook('onRequest', async (request) => log(request.url));
fastify.decorate('/items/decorated', 1);
