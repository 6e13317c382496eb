const Hapi = require('@hapi/hapi');
const users = require('./routes/users');

const server = Hapi.server({ port: 3000 });

server.route(users);
server.route({ method: 'GET', path: '/status', handler: () => 'ok' });
