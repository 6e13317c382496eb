using Confluent.Kafka;
using RabbitMQ.Client;
using Shop.Messages;

namespace Shop;

public class Sender {
    private readonly IModel channel;
    private readonly IProducer<Null, string> producer;

    public async Task Send(byte[] body) {
        channel.BasicPublish("", Topics.Mail, null, body);
        channel.BasicPublish(exchange: "", routingKey: Topics.Mail, body: body);
        await producer.ProduceAsync(Topics.Orders, new Message<Null, string> { Value = "x" });
    }
}
