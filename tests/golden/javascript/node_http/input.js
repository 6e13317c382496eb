const http = require('http');
const https = require('node:https');
const other = require('./http');

function all(id, cb) {
  http.get('http://users/users/' + id, cb);
  http.get({ host: 'users', port: 8080, path: '/users/' + id }, cb);
  const options = { hostname: process.env.HOST || 'orders', path: '/orders', method: 'POST' };
  const req = http.request(options, cb);
  https.request(new URL('/carts', 'https://carts'), { method: 'DELETE' }, cb);
  http.request({ path: '/local' }, cb);
  http.createServer((req, res) => {}).listen(80);
  other.get('/nothing');
  headers.get('/nothing');
}
