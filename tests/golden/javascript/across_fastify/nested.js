async function routes(fastify, options) { fastify.delete('/x', async () => ({})); }
module.exports = routes;
