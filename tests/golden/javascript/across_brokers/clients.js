const { createClient } = require('redis');
const { Kafka } = require('kafkajs');
const { PubSub } = require('@google-cloud/pubsub');

const kafka = new Kafka({ brokers: [] });

module.exports = {
  cache: createClient(),
  producer: kafka.producer(),
  consumer: kafka.consumer({ groupId: 'g' }),
  cloud: new PubSub(),
};
