const request = require('request').defaults({ json: true });
const rp = require('request-promise');
const api = rp.defaults({ baseUrl: 'http://users/v1' });
const superagent = require('superagent');
const { promisify } = require('util');
const later = promisify(request);
const endpoints = { carts: 'http://carts', orders: `http://orders` };

function all(id, cb) {
  var options = { uri: endpoints.carts + '/carts/' + id, method: 'DELETE' };
  request(options, cb);
  request(endpoints.orders + '/orders', { method: 'POST' }, cb);
  rp({ uri: `${endpoints.carts}/items`, qs: {} });
  api.get('/me');
  later({ url: endpoints.orders + '/' + id, method: 'patch' });
  superagent.post(endpoints.carts + '/merge').send({}).end(cb);
  superagent('PUT', '/put/' + id);
  superagent.agent().use(x);
  request.cookie('/nothing');
  req.get('/nothing');
  res.get('/nothing');
}
function named(id, cb) {
  const url = endpoints.carts + '/named/' + id;
  request(url, cb);
  const call = { uri: url, method: 'POST' };
  request(call, cb);
}
