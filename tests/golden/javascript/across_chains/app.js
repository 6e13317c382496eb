const express = require('express');
const routes = require('./routes');
express().use('/v1', routes).listen(80);
