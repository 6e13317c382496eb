using Amazon.SimpleNotificationService;
using Amazon.SimpleNotificationService.Model;
using Amazon.SQS;
using Amazon.SQS.Model;

namespace Shop;

public class Worker
{
    private readonly IConfiguration configuration;

    public async Task Run(IAmazonSimpleNotificationService sns, IAmazonSQS sqs)
    {
        await sns.PublishAsync(new PublishRequest { TopicArn = Names.Orders, Message = "x" });
        await sqs.ReceiveMessageAsync(new ReceiveMessageRequest { QueueUrl = Names.Billing });
        await sqs.SendMessageAsync(configuration["Aws:LedgerQueue"], "x");
        await sns.SubscribeAsync(Names.Orders, "sqs", "arn:aws:sqs:eu-west-1:123456789012:billing");
    }
}
