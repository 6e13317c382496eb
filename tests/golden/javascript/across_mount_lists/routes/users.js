const router = require('express').Router();
router.get('/:id', (req, res) => res.json({}));
module.exports = router;
