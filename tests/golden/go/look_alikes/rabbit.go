package alike

import amqp "github.com/rabbitmq/amqp091-go"

type bus struct{}

func (bus) Publish(text string) {}
func (bus) Consumer() string    { return "" }

func rabbitNot(b bus, ch *amqp.Channel) {
	b.Publish("orders")
	b.Consumer()
	ch.ExchangeDeclare("events", "topic", true, false, false, false, nil)
	ch.QueueDeclare("orders", true, false, false, false, nil)
	ch.Qos(1, 0, false)
}
