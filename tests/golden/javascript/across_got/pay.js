const client = require('./client');
exports.pay = (id) => client.post(`payments/${id}`);
exports.list = () => client('payments');
