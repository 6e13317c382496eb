import express from 'express'
const web = express()
const handlers = { carts: listCarts, 'users': listUsers }
for (const [name, handler] of Object.entries(handlers)) web.get(`/shop/${name}`, handler)
