const AWS = require('aws-sdk');
const { S3Client, PutObjectCommand } = require('@aws-sdk/client-s3');
const { Subject } = require('rxjs');

module.exports = function (page, feed, form) {
  page.publish({ title: 'orders' });
  page.publish('orders');
  feed.subscribe({ next: () => page, error: () => form });
  feed.subscribe({ Protocol: 'http', Endpoint: 'https://example.com/orders' });
  form.addSubscription(new EmailSubscription('orders'));
  new Subject().subscribe((x) => x);
  new S3Client({}).send(new PutObjectCommand({ Bucket: 'orders', Key: 'x' }));
  new AWS.DynamoDB().putItem({ TableName: 'orders' });
  // sns.publish({ TopicArn: 'arn:aws:sns:eu-west-1:123456789012:orders' });
};
