const list = { method: 'GET', path: '/users', handler: users.list };
module.exports = [
  list,
  { method: ['PUT', 'PATCH'], path: '/users/{id}', options: {}, handler: users.update },
  { method: 'POST', path: 'not-a-path', handler: nothing },
  { name: 'x', handler: nothing },
  { method: 'GET', url: '/requested' },
];
