const fastify = require('fastify')({ logger: true });
fastify.register(require('@fastify/static'), { root: '/public', prefix: '/assets' });
fastify.addHook('onRequest', async (request, reply) => { request.headers.get('/x', 1); reply.redirect('/y'); });
fastify.decorate('get', () => 1);
const store = new Map();
store.get('/s', 1);
fastify.inject({ method: 'GET', url: '/tested' });
