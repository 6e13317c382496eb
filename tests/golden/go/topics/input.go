package main

import (
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
	"github.com/IBM/sarama"
)

const topic = "t2"

func main() {
	ch, err := conn.Channel()
	q, err := ch.QueueDeclare("hello", false, false, false, false, nil)
	msgs, err := ch.Consume(q.Name, "", true, false, false, false, nil)
	ch.PublishWithContext(ctx, "", q.Name, false, false, amqp.Publishing{})
	ch.PublishWithContext(ctx, "logs", "", false, false, amqp.Publishing{})
	ch.Publish("", "direct", false, false, amqp.Publishing{})
	ch.Consume("direct", "", true, false, false, false, nil)
	w := kafka.NewWriter(kafka.WriterConfig{Brokers: b, Topic: "t1"})
	w2 := &kafka.Writer{Addr: a, Topic: topic}
	r := kafka.NewReader(kafka.ReaderConfig{Topic: "t1", GroupID: "g"})
	m := &sarama.ProducerMessage{Topic: topic, Value: v}
	client.Consume(ctx, []string{"t1", topic}, &consumer)
	c.SubscribeTopics([]string{"t5"}, nil)
}
