import { Router } from 'express'
export class InvoiceRoutes {
  path = '/invoices'
  router = Router()
  constructor() { this.register() }
  private register() {
    this.router.get(this.path, this.list)
    this.router.put(`${this.path}/:id`, this.change)
  }
}
