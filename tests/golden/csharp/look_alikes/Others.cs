using Confluent.Kafka;
using NATS.Client.Core;
using RabbitMQ.Client;
using StackExchange.Redis;

// What publishes and subscribes beside the brokers' own.
class Others {
    readonly Store store;
    readonly IModel channel;

    void All(Feed feed, IObservable<string> names, IDatabase db, IProducer<string, string> producer) {
        store.Publish("orders", "x");
        store.Subscribe("orders");
        feed.PublishAsync("orders", "x");
        feed.SubscribeAsync("orders");
        feed.Produce("orders", "x");
        feed.Request("orders", "x");
        names.Subscribe("orders");
        db.StringSet("orders", "x");
        producer.Flush();
        channel.QueueDeclare("orders", true, false, false, null);
    }
}
