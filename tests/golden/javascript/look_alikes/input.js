// Near hapi, httpdispatcher, k6, node's http, XMLHttpRequest, ofetch, Next.js and forms, and none of them.
const Boom = require('@hapi/boom');
const dispatcher = require('./httpdispatcher');
const http = require('http');
const { check } = require('k6');
const { STATUS_CODES } = require('node:http');

canvas.route([{ x: 1, y: 2 }]);
map.route({ from: 'a', to: 'b', path: [1, 2] });
dispatcher.onGetting('/nothing', () => {});
dispatcher.on('/nothing', () => {});

http.createServer(serve).listen(8080);
function serve(req, res) {
  const label = req.label === '/label';
  if (res.url === '/of-the-answer' || file.url === '/of-a-file') {
    return label;
  }
  res.end(http.STATUS_CODES[404] + STATUS_CODES[500] + http.METHODS.get('/method'));
}
const agent = new http.Agent({ path: '/agent', host: 'agent' });
https.get('/nobody');

window.open('GET', '/window');
dialog.open('/dialog', 'GET');
new XMLHttpRequest().addEventListener('load', () => zip.open('archive', '/inside.zip'));

const rows = [
  { method: 'linear', path: 'M0 0 L10 10', handler },
  { method: 'GET', label: 'no path', handler },
];
const store = ofetch2.create({ baseURL: '/store' });
store('/store');
const cache = Object.create({ baseURL: '/proto' });
cache('/proto');
check(got, { 'GET /items': (r) => r.status === 200 });

// a name, in a file that is no route
export function GET() {
  return one();
}
export default function handler(req, res) {
  res.status(200).end();
}
const useSWR = null;
