const express = require('express')
class ApiRouter {
  constructor(Server) {
    this.router = express()
    this.router.disable('x-powered-by')
    this.init()
  }
  init() {
    this.router.get('/libraries', this.list.bind(this))
  }
}
module.exports = ApiRouter
