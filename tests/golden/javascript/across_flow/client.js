// @flow
import axios from 'axios';

export function makeClient(timeout: ?number): ?Object {
  return axios.create({ baseURL: '/api/v1', timeout });
}
