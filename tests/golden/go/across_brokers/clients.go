package shop

import (
	"cloud.google.com/go/pubsub"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

type Clients struct {
	cache redis.UniversalClient
	nc    *nats.Conn
	cloud *pubsub.Client
}
