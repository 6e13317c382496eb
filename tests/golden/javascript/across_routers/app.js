const express = require('express');
const users = require('./routes/users');
const { orders } = require('./routes');
const app = express();
const api = express.Router();

app.use('/api', api);
api.use('/users', users);
api.use('/orders', orders);
app.use('/admin', require('./routes/admin'));
app.get('/health', (req, res) => res.end());
