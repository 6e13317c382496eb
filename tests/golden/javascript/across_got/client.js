const got = require('got');
module.exports = got.extend({ prefixUrl: 'http://billing:8080/v1' });
