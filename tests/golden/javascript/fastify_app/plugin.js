module.exports = async function (app, opts) { app.get('/x', async (request, reply) => ({})); };
