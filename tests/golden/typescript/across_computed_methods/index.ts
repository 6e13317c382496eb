import { Hono } from 'hono';

const app = new Hono();
function on(method: "get" | "put", path: string, handler: any) {
  app[method](path, handler);
}
on('put', '/items/:id', (c: any) => c.text('x'));
export default app;
