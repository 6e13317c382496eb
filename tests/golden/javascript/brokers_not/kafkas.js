const { Kafka } = require('kafkajs');

module.exports = function (mailer, store, res) {
  mailer.send({ to: 'orders', subject: 'x' });
  res.send('orders');
  store.subscribe(() => res.send({ ok: true }));
  store.subscribe('orders', () => {});
  const admin = new Kafka({ clientId: 'orders', brokers: [] }).admin();
  admin.createTopics({ topics: [{ topic: 'orders' }] });
  // producer.send({ topic: 'orders', messages: [] });
};
