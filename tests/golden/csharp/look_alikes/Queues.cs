using Amazon.S3;
using Amazon.SQS;
using Amazon.SimpleNotificationService;

// Requests of one's own beside those of AWS.
class Queues {
    void All(Feed feed, IAmazonS3 files, Letter letter) {
        feed.PublishAsync("orders", "x");
        feed.SubscribeAsync("orders", "email", "shop@example.com");
        letter.QueueUrl = "orders";
        letter.TopicArn = "orders";
        files.PutObjectAsync(new PutObjectRequest { BucketName = "orders" });
        // sqs.SendMessageAsync("orders", "x");
    }
}
