import { Router } from 'express'

export function orders(debug: boolean) {
  const router = Router()
  router.get('/orders', (_, response) => response.json([]))
  if (!debug) {
    return router
  }
  router.get('/debug', (_, response) => response.json([]))
  return router
}
