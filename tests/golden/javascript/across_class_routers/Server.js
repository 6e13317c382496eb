const express = require('express')
const http = require('http')
const ApiRouter = require('./ApiRouter')
const PublicRouter = require('./PublicRouter')
class Server {
  constructor(port) {
    this.port = port
    this.apiRouter = new ApiRouter(this)
    this.publicRouter = new PublicRouter()
  }
  async start() {
    const app = express()
    const router = express.Router()
    app.use(global.RouterBasePath, router)
    router.use('/api', this.auth.bind(this), this.apiRouter.router)
    router.use('/public', this.publicRouter.router)
    app.use('/v1', new ApiRouter(this).router)
  }
}
