const orders = require('./orders');

module.exports = { orders };
