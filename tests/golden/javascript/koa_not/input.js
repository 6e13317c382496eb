const Koa = require('koa');
const Router = require('@koa/router');
const app = new Koa();
const router = new Router();
app.use(async (ctx) => { ctx.get('/header'); ctx.set('/x', 'y'); ctx.redirect('/elsewhere'); });
app.use(router.routes());
router.param('id', (id, ctx, next) => next());
const keys = new Map();
keys.get('/k', () => 1);
