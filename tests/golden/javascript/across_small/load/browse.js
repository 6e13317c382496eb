import http from 'k6/http';
import { BASE } from './base.js';

export default function () {
  http.get(`${BASE}/load/items`);
  http.batch([['DELETE', BASE + '/load/items/1']]);
}
