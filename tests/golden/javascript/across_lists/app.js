const express = require('express');
const routes = require('./index');
const app = express();

app.use('/v1', routes);
