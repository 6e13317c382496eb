// @flow
// Routers and base URLs of other files, where the grammar of JavaScript knows none of the types.
import express from 'express';
import { berths } from './berths';
import { makeClient } from './client';

const app = express();
const port: ?number = null;

app.use('/api/v1', berths);

export async function load(id: ?string): Promise<?Object> {
  const free: ?Array<Object> = null;
  return makeClient().get(`/berths/${String(id)}`);
}
