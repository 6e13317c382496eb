import express from 'express'
export class Server {
  private web = express()
  constructor(parts: { router: express.Router }[]) { this.mountAll(parts) }
  private mountAll(parts: { router: express.Router }[]) {
    parts.forEach((part) => { this.web.use('/billing', part.router) })
  }
}
