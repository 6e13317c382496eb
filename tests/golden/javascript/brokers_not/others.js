const amqp = require('amqplib');
const { createClient } = require('redis');
const { connect } = require('nats');
const { Kafka } = require('kafkajs');
const { QueueEvents } = require('bullmq');
const { PubSub } = require('@google-cloud/pubsub');
const { Worker } = require('worker_threads');
const rhea = require('rhea');
const { EventBus } = require('./bus');

const bus = new EventBus();
const channel = new EventBus();
const store = createStore();

module.exports = function (page, book, db, form) {
  bus.publish('orders', 'orders.created', 1);
  channel.publish('orders', 'orders.created', 1);
  channel.consume('orders', () => page);
  book.consume('orders', () => page);
  bus.subscribe('orders');
  bus.rpush('orders');
  db.publish('orders', 'x');
  store.subscribe('orders');
  page.request('orders');
  form.send({ topic: 'orders', text: 'x' });
  form.subscribe({ topic: 'orders' });
  page.topic('orders');
  page.subscription('orders');
  page.open('orders');
  rhea.create_container().connect({ host: 'orders' });
  new Worker('./worker.js');
  new QueueEvents('orders');
  createClient().get('orders');
  return [amqp, connect, Kafka, PubSub];
};
