using RabbitMQ.Client;
using Confluent.Kafka;
class A {
  const string Queue = "hello";
  void F() {
    channel.BasicPublish(exchange: string.Empty, routingKey: "hello", basicProperties: null, body: body);
    channel.BasicPublish(exchange: "logs", routingKey: "", body: body);
    channel.BasicPublish("", Queue, null, body);
    channel.BasicConsume(queue: "hello", autoAck: true, consumer: consumer);
    channel.BasicConsume(Queue, true, consumer);
    producer.ProduceAsync("t1", new Message<Null, string> { Value = "a" });
    consumer.Subscribe("t1");
    consumer.Subscribe(new[] { "t2", "t3" });
    consumer.Subscribe(new List<string> { "t4" });
  }
}
