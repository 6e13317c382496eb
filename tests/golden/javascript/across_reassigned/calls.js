import { fallback, prefixed } from './client.js'

export function calls(id) {
  prefixed('/health')
  prefixed(`orders/${id}`)
  fallback('orders')
}
