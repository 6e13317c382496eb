module.exports = (fastify, opts, done) => { fastify.get('/late', async () => ({})); done(); };
