exports = module.exports = Store;
exports.Item = require('./item');
exports.clear = Store.clear;

function Store(name) {
  if (!(this instanceof Store)) return new Store(name);
  this.name = name;
}

Store.clear = function () {};

Store.prototype.put = function (key) {
  return new exports.Item(key);
};
