const http = require('http');
const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://localhost');
  if (req.url === '/users' && req.method === 'POST') return add(req, res);
  if (req.method === 'DELETE' && url.pathname === '/users') return remove(req, res);
  if (req.url == '/health') return res.end('ok');
  if (config.url === '/nothing' || req.headers.host === '/nothing') return;
});
