const { Stack } = require('aws-cdk-lib');
const sns = require('aws-cdk-lib/aws-sns');
const sqs = require('aws-cdk-lib/aws-sqs');
const { SqsSubscription, EmailSubscription } = require('aws-cdk-lib/aws-sns-subscriptions');
const { queueName } = require('./names');

class Shop extends Stack {
  constructor(scope, id) {
    super(scope, id);
    const orders = new sns.Topic(this, 'Orders', { topicName: 'orders' });
    const billing = new sqs.Queue(this, 'Billing', { queueName: queueName });
    orders.addSubscription(new SqsSubscription(billing));
    orders.addSubscription(new EmailSubscription('shop@example.com'));
  }
}

module.exports = { Shop };
