const express = require('express');
const users = require('./routes/users');
const orders = require('./routes/orders');

const router = express.Router();
const routes = [
	{ path: '/users', route: users },
	{ path: '/orders', route: orders },
];

routes.forEach((r) => {
	router.use(r.path, r.route);
});
module.exports = router;
