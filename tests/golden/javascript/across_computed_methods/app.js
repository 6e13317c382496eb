const express = require('express');
const info = require('./etapi/info');

const app = express();
const router = express.Router();
info.register(router);
app.use('/v1', router);
