import { initContract } from '@ts-rest/core';

const c = initContract();

export const theatre = c.router(
  {
    plays: { method: 'GET', path: '/plays', summary: 'All plays', responses: { 200: Plays } },
    seats: {
      book: { method: 'PUT', path: '/seats/:row/:number', body: Guest, responses: { 204: c.noBody() } },
    },
  },
  { pathPrefix: '/theatre' },
);
