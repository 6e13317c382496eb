package alike

import (
	"context"

	"cloud.google.com/go/pubsub"
	_ "github.com/Azure/go-amqp"
	"github.com/nats-io/nats.go"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
)

type mailbox struct{}

func (mailbox) Publish(args ...any)   {}
func (mailbox) Subscribe(args ...any) {}
func (mailbox) Consume(args ...any)   {}
func (mailbox) Request(args ...any)   {}
func (mailbox) RPush(args ...any)     {}
func (mailbox) Sender(args ...any)    {}
func (mailbox) Topic(args ...any)     {}

func othersNot(ctx context.Context, box mailbox, client mailbox, conn mailbox, rdb *redis.Client, nc *nats.Conn, c *pubsub.Client) {
	box.Publish("orders", "orders.created", false, false, amqp.Publishing{})
	box.Consume("orders", "", true)
	box.Publish(ctx, "orders", "x")
	box.RPush(ctx, "orders", "x")
	client.Subscribe(ctx, "orders")
	client.Publish("orders", nil)
	conn.Subscribe("orders", nil)
	conn.Request("orders", nil)
	box.Topic("orders")
	box.Sender("orders", nil)
	rdb.Get(ctx, "orders")
	nc.Flush()
	c.Close()
}
