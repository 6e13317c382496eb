using RabbitMQ.Client;
using StackExchange.Redis;

public class Bus
{
    private const string Votes = "votes";

    public void Run(IModel channel, IDatabase db, ISubscriber subscriber)
    {
        channel.QueueBind("mine", "events", "orders.created");
        channel.QueueBind(queue: "mine", exchange: "broadcast", routingKey: "");
        db.ListRightPush(Votes, "x");
        db.ListLeftPopAsync("votes");
        subscriber.Publish("notifications", "x");
        subscriber.Subscribe("notifications", (c, m) => { });
        db.StringGet("votes");
    }
}
