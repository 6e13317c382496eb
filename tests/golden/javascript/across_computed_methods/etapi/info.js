const utils = require('./utils');

function register(router) {
  utils.route(router, 'get', '/etapi/app-info', (req, res) => res.json(1));
  utils.route(router, 'patch', '/etapi/notes/:id', (req, res) => res.json(1));
}
module.exports = { register };
