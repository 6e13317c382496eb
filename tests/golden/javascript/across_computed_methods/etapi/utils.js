function route(router, method, path, handler) {
  router[method](path, check, (req, res, next) => handler(req, res, next));
}
module.exports = { route };
