// redis, kafka, nats and @google-cloud/pubsub, bullmq
const { cache, producer, consumer, cloud } = require('./clients');
const { Queue } = require('bullmq');
const { CREATED, VOTES, TOPICS } = require('./names');

const emails = new Queue(CREATED);

async function all(nc) {
  await cache.rPush(VOTES, 'x');
  await cache.blPop(VOTES, 0);
  await producer.send({ topic: TOPICS.orders, messages: [] });
  await consumer.subscribe({ topic: TOPICS.orders });
  await cloud.topic(CREATED).publishMessage({});
  nc.publish(CREATED, 'x');
  nc.subscribe(CREATED);
}

module.exports = { all, emails };
