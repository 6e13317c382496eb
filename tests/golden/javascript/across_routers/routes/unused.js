const express = require('express');
const router = express.Router();
const cache = new Map();

router.get('/own', (req, res) => res.json(cache.get('/key')));
module.exports = router;
