using Confluent.Kafka;
using RabbitMQ.Client;

// Subjects and stores that publish and produce beside the brokers' own.
class Topics {
    readonly IModel channel;
    readonly Store store;
    readonly Feed feed;

    void All() {
        store.Publish("orders", "x");
        store.Consume("orders");
        feed.Send("orders");
        feed.Unsubscribe("orders");
        channel.QueueDeclare("orders", true, false, false, null);
        channel.ExchangeDeclare("events", "topic");
        // channel.BasicPublish("", "orders", null, null);
        var text = "producer.Produce(\"orders\", message)";
    }

    void Observe(IObservable<string> names) {
        names.Subscribe(n => All());
    }
}
