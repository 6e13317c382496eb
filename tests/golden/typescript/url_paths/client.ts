const BASE = 'http://shop'
export function one(id: string) {
  const url = new URL(`/carts/${id}`, BASE)
  return fetch(url.href)
}
export function all() {
  const url = new URL(BASE)
  url.pathname = '/carts'
  return fetch(url, { method: 'DELETE' })
}
