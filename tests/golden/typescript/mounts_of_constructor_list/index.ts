import { Server } from './server'
import { InvoiceRoutes } from './invoices'
export const server = new Server([new InvoiceRoutes()])
