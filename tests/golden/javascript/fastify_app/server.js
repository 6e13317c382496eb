const app = require('fastify')();
app.register(require('./plugin'), { prefix: '/v1' });
