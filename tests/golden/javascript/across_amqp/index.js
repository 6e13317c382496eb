const rhea = require('rhea');
const { ORDERS } = require('./names');

module.exports = function send(connection, text) {
  connection.open_sender(ORDERS).send({ body: text });
  connection.open_receiver(ORDERS);
};
