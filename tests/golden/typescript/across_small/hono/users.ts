import { Hono } from 'hono';
import { one } from './handlers';

export const users = new Hono();

users.get('/:id', one);
users.post('/', async (c) => c.json(await c.req.json()));
