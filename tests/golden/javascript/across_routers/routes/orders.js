const express = require('express');
const orders = express.Router();
const nested = express.Router();

orders.get('/', (req, res) => res.end());
orders.use('/:order/items', nested);
nested.get('/:item', (req, res) => res.end());
module.exports = orders;
