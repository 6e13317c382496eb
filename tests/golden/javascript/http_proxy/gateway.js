const express = require('express');
const proxy = require('http-proxy-middleware');
const config = require('./config');
const app = express();
app.use('/stock', proxy({ pathRewrite: (path) => path.replace('/stock', '/v1'), target: config.stockUrl }));
