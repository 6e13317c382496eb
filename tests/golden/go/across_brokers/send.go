package shop

import (
	"context"

	"cloud.google.com/go/pubsub"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

func send(ctx context.Context, cache redis.Cmdable, nc *nats.Conn, cloud *pubsub.Client) {
	cache.LPush(ctx, Votes, "x")
	cache.BRPop(ctx, 0, Votes)
	nc.Publish(Created, nil)
	nc.Subscribe(Created, func(m *nats.Msg) {})
	cloud.Topic(Created)
	cloud.Subscription(Created)
}
