const { Router } = require('express');
const users = require('./users');
const orders = require('./orders');
const api = Router().use(users).use('/orders', orders);
module.exports = Router().use('/api', api);
