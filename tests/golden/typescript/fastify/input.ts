import Fastify, { FastifyInstance } from 'fastify';
const app = Fastify({ logger: true });
app.get('/ping', async () => 'pong');
app.route({ method: ['GET', 'POST'], url: '/both', handler: both });
app.route({ method: 'DELETE', url: '/one/:id', handler: async (req, reply) => {} });
app.register(async (f) => { f.get('/in', h); }, { prefix: '/v1' });
export default async function (fastify: FastifyInstance, opts) {
  fastify.post<{ Body: X }>('/things', { schema }, create);
  fastify.register(users, { prefix: '/users' });
}

// Not routes: what is kept, set or read.
app.decorate('get', 1); reply.headers.get('/no', 1); cache.get('/no', () => 1); app.register(require('./users'), { prefix: '/v3' });
