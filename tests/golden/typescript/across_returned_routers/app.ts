import express from 'express'
import { orders } from './orders'

const app = express()
app.use('/api', orders(process.env.DEBUG === '1'))
app.listen(80)
