const users = process.env.USERS_URL || 'http://localhost:1';
const carts = `http://${process.env.CARTS_HOST}:80`;
const stock = process.env.STOCK_URL || 'http://stock';

module.exports = { users, carts, stock };
