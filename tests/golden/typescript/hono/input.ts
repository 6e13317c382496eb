import { Hono } from 'hono';
const app = new Hono().basePath('/api');
const users = new Hono();
users.get('/:id', (c) => c.json({})).delete('/:id', remove);
app.route('/users', users);
app.on(['PUT', 'PATCH'], '/on', handler);
app.get('/plain', (c) => c.text('hi'));

c.req.header('/no', 1); store.get('/no', 1);
