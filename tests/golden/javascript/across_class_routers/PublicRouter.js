const express = require('express')
module.exports = class PublicRouter {
  constructor() {
    this.router = express.Router()
    this.router.get('/share/:slug', this.share)
  }
}
