package shop

import (
	"github.com/example/rabbit"
	amqp "github.com/rabbitmq/amqp091-go"
)

type Wrapped struct {
	conn *rabbit.Connection
}

func (w *Wrapped) send() {
	w.conn.Channel.Publish("events", Created, false, false, amqp.Publishing{})
	w.conn.Channel.Consume(Votes, "", true, false, false, false, nil)
}
