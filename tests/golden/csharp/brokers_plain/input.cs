using NATS.Client.Core;
using StackExchange.Redis;
using Confluent.Kafka;

class Bus
{
    private readonly IDatabase db;
    private readonly IConnectionMultiplexer redis;
    private readonly INatsConnection nats;

    async Task Run(ISubscriber subscriber)
    {
        db.ListRightPush("votes", "x");
        db.ListLeftPop("votes");
        db.StreamAdd("orders-stream", "id", "1");
        subscriber.Publish("notifications", "x");
        redis.GetSubscriber().Subscribe("notifications", (c, m) => { });
        await nats.PublishAsync("orders.created", "x");
        await foreach (var m in nats.SubscribeAsync<string>("orders.>")) { }
        using var consumer = new ConsumerBuilder<string, string>(config).Build();
        consumer.Subscribe("^audit-.*");
    }
}
