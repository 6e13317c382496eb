using Confluent.Kafka;
using RabbitMQ.Client;
using Shop.Messages;

namespace Shop;

public class Worker {
    private readonly IModel channel;
    private readonly IConsumer<Null, string> consumer;

    public void Run(IBasicConsumer handler) {
        channel.BasicConsume(Topics.Mail, true, handler);
        consumer.Subscribe(Topics.Orders);
        consumer.Subscribe(new[] { Topics.Users });
    }
}
