const $ = require('jquery');
const { base, users } = require('./urls');
$.ajax({ url: users, type: 'POST', data: {} });
$.getJSON(base + '/teams', function (d) {});
exports.drop = (id) => $.ajax(users + '/' + id, { method: 'DELETE' });
