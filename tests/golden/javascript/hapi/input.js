const Hapi = require('@hapi/hapi');
const server = Hapi.server({ port: 3000 });
server.route({ method: 'GET', path: '/users/{id}', handler: users.one });
server.route([{ method: ['PUT', 'POST'], path: '/a', handler }, { method: '*', path: '/{any*}', handler: none }]);

server.get('/no', 1); server.route(tables); catalog.route({ method: 'GET', url: '/no' });
