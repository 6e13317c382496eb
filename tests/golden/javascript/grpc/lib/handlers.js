function getCart(call, callback) {
  callback(null, {});
}

class Handlers {
  addItem(call, callback) {
    callback(null, {});
  }
  close() {}
}

module.exports = { getCart, Handlers };
