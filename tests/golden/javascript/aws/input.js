const { SNSClient, PublishCommand, SubscribeCommand } = require('@aws-sdk/client-sns');
const { SQSClient, SendMessageCommand, ReceiveMessageCommand } = require('@aws-sdk/client-sqs');
const AWS = require('aws-sdk');

const TopicArn = 'arn:aws:sns:eu-west-1:123456789012:orders';
const QueueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/billing';
const client = new SNSClient({});

async function place(order) {
  await client.send(new PublishCommand({ TopicArn, Message: order }));
  await new SQSClient({}).send(new SendMessageCommand({ QueueUrl, MessageBody: order }));
  await new SQSClient({}).send(new ReceiveMessageCommand({ QueueUrl: QueueUrl }));
}

async function subscribe(Endpoint) {
  await client.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: 'arn:aws:sqs:eu-west-1:123456789012:billing' }));
  await client.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint }));
  await client.send(new SubscribeCommand({ TopicArn, Protocol: 'email', Endpoint: 'shop@example.com' }));
}

function old(order) {
  const sns = new AWS.SNS();
  sns.publish({ TopicArn: 'arn:aws:sns:eu-west-1:123456789012:payments', Message: order }).promise();
  sns.subscribe({ Protocol: 'sqs', TopicArn: 'arn:aws:sns:eu-west-1:123456789012:payments', Endpoint: 'arn:aws:sqs:eu-west-1:123456789012:ledger' }).promise();
  new AWS.SQS().sendMessage({ QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/ledger', MessageBody: order });
}
