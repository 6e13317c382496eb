const { client } = require('./client');

function show(callback) {
  client.getCart({}, callback);
  client.AddItem({}, callback);
  client.close();
}

module.exports = show;
