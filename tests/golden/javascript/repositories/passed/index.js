module.exports = require('./lib/start');
