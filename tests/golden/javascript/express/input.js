const express = require('express');
const axios = require('axios');
const app = express();
const router = express.Router();
const cache = new Map();
const headers = new Headers();
const PREFIX = '/v1';

app.get('/users/:id', getUser);
app.post('/users', auth, (req, res) => { res.end(); });
app.put(PREFIX + '/users/:id(\\d+)', update);
app.patch(`${PREFIX}/users/:id?`, controller.patch);
app.all(['/ping', '/pong'], ping);
app.get('/files/*', files);
router.route('/cart').get(listCart).post(addToCart).delete(clearCart);
router.delete('/items/:item/parts/:part', remove);
app.use('/api', router);
const inner = express.Router();
router.use('/inner', inner);
inner.get('/deep', deep);

// None of these is a route:
app.get('env');
app.set('/views', './views');
cache.get('/users', 1);
cache.delete('/users');
headers.get('/x', 2);
settings.get('/timeout', 30);
axios.get('/remote', { timeout: 3 });
// app.get('/commented', handler);
const text = "app.get('/in-a-string', handler)";

function getUser(req, res) {
  res.json(cache.get(req.params.id));
}

module.exports = function (server) {
  server.get('/given', function (req, res) { res.end(); });
};
