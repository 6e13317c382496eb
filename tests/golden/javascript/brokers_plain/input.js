const { createClient } = require('redis');
const Redis = require('ioredis');
const { connect } = require('nats');
const { Kafka } = require('kafkajs');
const { Queue, Worker } = require('bullmq');
const { PubSub } = require('@google-cloud/pubsub');

const client = createClient({ url: 'redis://redis' });
const emails = new Queue('emails');
new Worker('emails', async (job) => job.data);
const pubsub = new PubSub();
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'g' });

async function redis() {
  const sub = new Redis();
  await client.rPush('votes', 'x');
  await client.blPop('votes', 0);
  await client.publish('notifications', 'x');
  await sub.psubscribe('news.*');
  await sub.xadd('orders-stream', '*', 'id', '1');
}

async function nats() {
  const connection = await connect({ servers: 'nats://nats:4222' });
  connection.subscribe('orders.>');
  connection.publish('orders.created', 'x');
  const js = connection.jetstream();
  await js.publish('stock.low', 'x');
}

async function cloud() {
  await pubsub.topic('payments').publishMessage({ data: Buffer.from('x') });
  pubsub.subscription('payments').on('message', (m) => m.ack());
}

async function kafka() {
  await consumer.subscribe({ topic: /^audit-.*/i });
  await consumer.subscribe({ topics: ['orders', /stock/] });
}
