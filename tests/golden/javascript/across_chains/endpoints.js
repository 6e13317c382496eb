(function () {
  const util = require('util');
  let domain = '';
  process.argv.forEach((argument) => { if (argument.length) domain = '.' + argument; });
  module.exports = { users: util.format('http://users%s/users', domain) };
}());
