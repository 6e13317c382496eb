(function () {
  var request = require("request");
  var helpers = {};
  helpers.simple = function (url, res, next) { request.get(url, function (e) { res.end(); }); };
  helpers.plain = (path) => fetch('http://plain' + path);
  module.exports = helpers;
}());
