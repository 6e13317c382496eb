const amqp = require('amqplib');

module.exports = function (channel, book, fuel) {
  book.publish('orders');
  book.publish({ title: 'orders' });
  fuel.consume(3);
  channel.assertQueue('orders');
  channel.assertExchange('events', 'topic');
  channel.prefetch(1);
  return amqp.credentials.plain('orders', "channel.sendToQueue('orders', x)");
};
