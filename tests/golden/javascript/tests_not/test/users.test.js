const express = require('express');
const axios = require('axios');

// The service that this one asks, as the test plays it.
const users = express();
users.get('/customers/:id', (req, res) => res.json({}));
users.post('/customers', (req, res) => res.json({}));

it('asks', () => axios.get('http://localhost:3000/carts/1'));
