package shop

import "github.com/Azure/go-amqp"

func run(session *amqp.Session) {
	session.NewSender(ctx, Orders, nil)
	session.NewReceiver(ctx, Orders, nil)
}
