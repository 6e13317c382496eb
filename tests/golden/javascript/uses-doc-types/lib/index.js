class Router {
  /**
   * @param {string} path
   * @returns {Route}
   */
  route(path) { return make(path) }
}
class Route {
  all() {}
}
module.exports = { Router, Route }
