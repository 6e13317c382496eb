const http = require('http');
const { STOCK_HOST, itemPath } = require('./where');

exports.left = (id, done) => http.get(`http://${STOCK_HOST}/items/${id}`, done);
exports.take = (id, done) =>
  http.request({ host: STOCK_HOST, path: itemPath(id), method: 'PATCH' }, done).end();
