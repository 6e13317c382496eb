'use strict';

module.exports.storesGET = function storesGET(req, res, next) {
  res.json([]);
};

module.exports.one = (req, res) => res.json({});
