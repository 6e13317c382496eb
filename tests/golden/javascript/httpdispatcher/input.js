var dispatcher = require('httpdispatcher');
dispatcher.onPost(/^\/ratings\/[0-9]*/, function (req, res) {});
dispatcher.onGet(/^\/ratings\/[0-9]*/, function (req, res) {});
dispatcher.onGet('/health', function (req, res) {});
dispatcher.setStatic('/nothing');
