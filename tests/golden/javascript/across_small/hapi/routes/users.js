const { one, add } = require('../handlers');

module.exports = [
  { method: 'GET', path: '/hapi/users/{id}', handler: one },
  { method: ['POST', 'PUT'], path: '/hapi/users', handler: add },
];
