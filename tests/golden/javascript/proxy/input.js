const express = require('express');
const request = require('request');
const app = express();
const users = 'http://users';

app.get('/users/images/*', (req, res) => request.get(users + req.url).pipe(res));
app.get('/users/:id', function (req, res) {
  const url = users + '/v1' + req.originalUrl.toString();
  request(url, () => res.end());
});
app.use((req, res, next) => request.get(users + req.url).pipe(res));
function elsewhere(req) {
  return request.get(users + '/fixed?from=' + req.url);
}
