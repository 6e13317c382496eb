(function () {
  var helpers = require("../helpers"), endpoints = require("./endpoints");
  app.get("/customers/:id", function (req, res, next) {
    helpers.simple(endpoints.customersUrl + "/" + req.session.customerId, res, next);
  });
  helpers.plain('/x');
}());
