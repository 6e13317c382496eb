const Router = require('koa-router');

const router = new Router({ prefix: '/koa' });
for (const [method, path, handler] of [['get', '/users', list], ['delete', '/users/:id', remove]]) {
  router[method](path, handler);
}
function add(method, path) {
  router[method](path, list);
}
add('post', '/users');
module.exports = router;
