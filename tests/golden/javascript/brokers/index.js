const { createClient } = require('redis');
const { connect } = require('nats');
const amqp = require('amqplib');
const { Queue, Worker } = require('bullmq');
const { SQSClient, SendMessageCommand, ReceiveMessageCommand } = require('@aws-sdk/client-sqs');
const { PubSub } = require('@google-cloud/pubsub');
const { VOTES, EMAILS } = require('./queues');

const client = createClient();
const emails = new Queue(EMAILS);
new Worker('emails', async (job) => job.data);

async function redis() {
  await client.rPush(VOTES, 'x');
  await client.blPop(VOTES, 0);
  await client.publish('notifications', 'x');
  await client.subscribe('notifications', (m) => console.log(m));
  await client.xAdd('orders-stream', '*', { id: '1' });
  await client.xReadGroup('g', 'me', { key: 'orders-stream', id: '>' });
}

async function nats() {
  const nc = await connect();
  nc.subscribe('orders.*');
  nc.publish('orders.created', 'x');
}

async function rabbit(channel) {
  await channel.bindQueue('mine', 'events', 'orders.created');
  await channel.bindQueue('mine', 'broadcast', '');
  channel.publish('events', 'orders.created', Buffer.from('x'));
}

async function cloud(sqs) {
  await sqs.send(new SendMessageCommand({ QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/1/orders', MessageBody: 'x' }));
  await sqs.send(new ReceiveMessageCommand({ QueueUrl: process.env.ORDERS_QUEUE || 'https://sqs.eu-west-1.amazonaws.com/1/orders' }));
  await new PubSub().topic('orders').publishMessage({ data: Buffer.from('x') });
}

// An observable and a page.
emails.events.subscribe((e) => console.log(e));
pages.publish('home');
