const router = require('express').Router();
router.get('/users/:id', (req, res) => res.json({})).post('/users', (req, res) => res.end());
module.exports = router;
