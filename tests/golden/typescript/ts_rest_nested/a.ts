import { initContract } from '@ts-rest/core';
import { users } from './users';
const c = initContract();
const routes = {
  users,
  health: { method: 'GET', path: '/health', responses: { 200: c.type<string>() } },
};
export const contract = c.router(routes, { pathPrefix: '/api' });
const orders = c.router({
  list: { method: 'GET', path: '/', responses: { 200: c.type<string>() } },
}, { pathPrefix: '/orders' });
export const second = c.router({ orders, more: users }, { pathPrefix: '/v2' });
export const third = c.router({ second });
