class Cart {
  getCart() {}
}

module.exports = { Cart };
