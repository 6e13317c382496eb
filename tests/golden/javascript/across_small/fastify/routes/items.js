module.exports = async function (fastify) {
  fastify.get('/items/:id', async (request, reply) => reply.send(await one(request.params.id)));
};
