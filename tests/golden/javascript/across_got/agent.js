const superagent = require('superagent');
const { USERS } = require('./config');
exports.user = (id) => superagent.get(`${USERS}/users/${id}`).set('a', 'b');
exports.drop = (id) => superagent.del(USERS + '/users/' + id);
