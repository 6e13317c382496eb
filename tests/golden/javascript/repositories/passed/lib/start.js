exports = module.exports = start;

function start() {
  return {};
}

exports.log = require('./log').write;
