module.exports = {
  orders: process.env.ORDERS_TOPIC_ARN || 'arn:aws:sns:eu-west-1:123456789012:orders',
  billing: 'https://sqs.eu-west-1.amazonaws.com/123456789012/billing',
  queueName: 'billing',
};
