const fastify = require('fastify')();
const users = require('./users');
fastify.register(users, { prefix: '/v1/users' });
fastify.register(require('./orders'), { prefix: '/orders' });
fastify.register(import('./late.js'));
