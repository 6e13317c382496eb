package main

import (
	"context"

	"cloud.google.com/go/pubsub"
	"github.com/confluentinc/confluent-kafka-go/kafka"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/redis/go-redis/v9"
)

type Server struct {
	cache *redis.Client
	nc    *nats.Conn
}

func (s *Server) run(ctx context.Context) {
	s.cache.RPush(ctx, "votes", "x")
	s.cache.BLPop(ctx, 0, "votes")
	s.cache.Publish(ctx, "notifications", "x")
	s.nc.Publish("orders.created", nil)
	s.nc.QueueSubscribe("orders.>", "workers", func(m *nats.Msg) {})
}

func main() {
	rdb := redis.NewClient(&redis.Options{})
	rdb.PSubscribe(ctx, "news.*")
	conn, _ := nats.Connect(nats.DefaultURL)
	conn.Request("stock.get", nil, 0)
	js, _ := jetstream.New(conn)
	js.Publish(ctx, "stock.low", nil)
	client, err := pubsub.NewClient(ctx, "project")
	client.Topic("payments").Publish(ctx, &pubsub.Message{})
	client.Subscription("payments").Receive(ctx, handle)
	consumer.SubscribeTopics([]string{"^audit-.*"}, nil)
}
