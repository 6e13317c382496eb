module.exports = class Item {
  save() {
    return true;
  }
};
