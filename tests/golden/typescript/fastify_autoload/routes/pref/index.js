module.exports = async function (fastify, opts) { fastify.get('/y', async () => ({})) }
module.exports.autoPrefix = '/other'
