import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const got = http.get('http://shop/items');
  check(got, { ok: (r) => r.status === 200 });
  http.post(`http://shop/items/${__VU}`, '{}');
}
