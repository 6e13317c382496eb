const express = require('express');
const router = express.Router();

router.delete('/cache', (req, res) => res.end());
router.get('/alone', (req, res) => res.end());
module.exports = router;
