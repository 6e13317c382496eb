package shop

import (
	"context"

	"github.com/IBM/sarama"
	amqp "github.com/rabbitmq/amqp091-go"
)

func send(ctx context.Context, ch *amqp.Channel, p sarama.SyncProducer) {
	ch.PublishWithContext(ctx,
		"",          // exchange
		OrdersQueue, // routing key
		false,
		false,
		amqp.Publishing{})
	p.SendMessage(&sarama.ProducerMessage{Topic: UsersTopic})
}
