package main

import (
	"context"

	"github.com/nats-io/nats.go"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
)

const votes = "votes"

func run(ctx context.Context, rdb *redis.Client, nc *nats.Conn, ch *amqp.Channel) {
	rdb.RPush(ctx, votes, "x")
	rdb.BLPop(ctx, 0, votes)
	rdb.Publish(ctx, "notifications", "x")
	rdb.Subscribe(ctx, "notifications")
	rdb.XAdd(ctx, &redis.XAddArgs{Stream: "orders-stream"})
	rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "g", Streams: []string{"orders-stream", ">"}})
	rdb.Get(ctx, "votes")

	nc.Publish("orders.created", nil)
	nc.QueueSubscribe("orders.>", "workers", func(m *nats.Msg) {})

	ch.QueueBind("mine", "orders.created", "events", false, nil)
	ch.QueueBind("mine", "", "broadcast", false, nil)
}
