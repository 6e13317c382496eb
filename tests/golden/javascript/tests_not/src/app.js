const express = require('express');
const app = express();
app.get('/carts/:id', (req, res) => res.json({}));
