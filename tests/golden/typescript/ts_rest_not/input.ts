import { initContract } from '@ts-rest/core';

// what a survey asks, which has neither method nor path; a table of another library
export const survey = { method: 'by post', responses: { yes: 12, no: 3 } };
export const columns = table.router({ name: { path: 'name', width: 3 } }, { pathPrefix: '/columns' });
