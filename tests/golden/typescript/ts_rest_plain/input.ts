import { initContract } from '@ts-rest/core';
import { createExpressEndpoints } from '@ts-rest/express';

const c = initContract();

export const ferries = c.router({
  list: { method: 'GET', path: '/ferries', responses: { 200: Ferries } },
  cancel: { method: 'DELETE', path: '/ferries/:id', responses: { 204: c.noBody() } },
});

createExpressEndpoints(ferries, { list, cancel }, app);
