const { SNSClient, PublishCommand } = require('@aws-sdk/client-sns');

const client = new SNSClient({});

function send(TopicArn, text) {
  return client.send(new PublishCommand({ TopicArn, Message: text }));
}

module.exports = { send };
