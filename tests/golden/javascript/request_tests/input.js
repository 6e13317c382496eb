// Nothing here asks another service: a test's client, a mock, a cache.
const request = require('supertest');
const nock = require('nock');
const { rest } = require('msw');

request(app).get('/nothing').expect(200);
request('http://localhost').post('/nothing');
nock('http://users').get('/nothing').reply(200);
rest.get('/nothing', (req, res, ctx) => res(ctx.status(200)));
const lookup = new Map();
lookup.get('/nothing');
lookup.delete('/nothing');
const link = 'http://users/nothing';
window.location.href = link;
window.open('/nothing');
router.push('/nothing');
history.pushState({}, '', '/nothing');
