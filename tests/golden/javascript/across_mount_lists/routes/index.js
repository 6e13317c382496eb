const express = require('express');
const users = require('./users');
const orders = require('./orders');
const router = express.Router();
const list = [
  { path: '/users', route: users },
  { path: '/orders', route: orders },
];
list.forEach((one) => {
  router.use(one.path, one.route);
});
module.exports = router;
