import { initContract } from '@ts-rest/core';
const c = initContract();
export const users = c.router({
  getUser: { method: 'GET', path: '/users/:id', responses: { 200: c.type<string>() } },
});
