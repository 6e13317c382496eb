const router = require('express').Router();
router.put('/:id', (req, res) => res.json({}));
module.exports = router;
