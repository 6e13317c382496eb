const express = require('express');
const PATHS = { users: '/users' };
const router = express.Router({ mergeParams: true });
const app = express();
router.get(PATHS.users, asyncHandler(controller.list));
router.post('/users', controller.create.bind(controller));
router.put(/regex/, update);
app.use('/api', auth, router);
app.use('/hook', (req, res) => res.end());
app.use('/mw', (req, res, next) => next());
app.use(express.static('public'));
app.get('port');
app.get(name, handler);
router.route('/chain').get(auth, a).put(b).patch(c).delete(d).all(e);
app.get('/x', [auth, h1]).post('/y', (req, res) => {});

// Neither is any of these: tests, mocks, caches, settings.
request(app).get('/tested', done);
supertest(app).post('/tested').send({}, done);
nock('http://users').get('/mocked', body);
rest.get('/mocked', (req, res, ctx) => res(ctx.json({})));
http.get('/mocked', () => HttpResponse.json({}));
mock.onGet('/mocked', {}).reply(200);
_.get(object, '/path', fallback);
config.get('/port', 3000);
cache.get('/users', () => load());
app.locals.cache.get('/users', 1);
