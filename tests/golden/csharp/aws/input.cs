using Amazon.SimpleNotificationService;
using Amazon.SimpleNotificationService.Model;
using Amazon.SQS;
using Amazon.SQS.Model;

class Messages
{
    private const string Orders = "arn:aws:sns:eu-west-1:123456789012:orders";
    private const string Billing = "https://sqs.eu-west-1.amazonaws.com/123456789012/billing";

    public async Task Run(IAmazonSimpleNotificationService sns, IAmazonSQS sqs, string given)
    {
        await sns.PublishAsync(new PublishRequest { TopicArn = Orders, Message = "x" });
        await sns.PublishAsync(Orders, "x");
        await sqs.SendMessageAsync(new SendMessageRequest { QueueUrl = Billing, MessageBody = "x" });
        await sqs.SendMessageAsync(Billing, "x");
        await sqs.ReceiveMessageAsync(new ReceiveMessageRequest { QueueUrl = Billing });
        await sqs.ReceiveMessageAsync(Billing);
        await sns.SubscribeAsync(new SubscribeRequest { TopicArn = Orders, Protocol = "sqs", Endpoint = "arn:aws:sqs:eu-west-1:123456789012:billing" });
        await sns.SubscribeAsync(Orders, "sqs", "arn:aws:sqs:eu-west-1:123456789012:mail");
        await sns.SubscribeAsync(Orders, "email", "shop@example.com");
        await sns.SubscribeAsync(Orders, "sqs", given);
    }
}
