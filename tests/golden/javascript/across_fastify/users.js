module.exports = async function (fastify, opts) {
  fastify.get('/:id', async () => ({}));
  fastify.register(require('./nested'), { prefix: '/nested' });
};
