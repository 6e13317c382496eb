const { SQSClient, ReceiveMessageCommand } = require('@aws-sdk/client-sqs');
const { send } = require('./bus');
const names = require('./names');

module.exports = async function run(sqs) {
  await sqs.send(new ReceiveMessageCommand({ QueueUrl: names.billing }));
  await send(names.orders, 'x');
};
