module.exports = (fastify, opts, done) => { fastify.post('/', async () => ({})); done(); };
