const router = require('express').Router();
const controller = require('../controller');

router.get('/:id', controller.show);
router.post('/', (req, res) => res.end());
module.exports = router;
