const Router = require('@koa/router');
const router = new Router({ prefix: '/users' });
router.get('/:id', async (ctx) => { ctx.body = {}; });
module.exports = router.routes();
