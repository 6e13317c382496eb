package main

import "github.com/Azure/go-amqp"

func run(session *amqp.Session) {
	sender, err := session.NewSender(ctx, "orders", nil)
	receiver, err := session.NewReceiver(ctx, "orders", nil)
}
