import { Hono } from 'hono';

const app = new Hono();
function on(method, path, handler) {
  app[method](path, handler);
}
on('put', '/items/:id', (c) => c.text('x'));
export default app;
