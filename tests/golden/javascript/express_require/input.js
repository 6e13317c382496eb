const shop = require('express')();
var api = require("express").Router();
const other = require('other')();

shop.get('/things', (req, res) => res.send('things'));
api.post('/things/:id', create);
other.get('/nothing', (req, res) => res.send(''));

function create(req, res) {
  res.send(req.params.id);
}
