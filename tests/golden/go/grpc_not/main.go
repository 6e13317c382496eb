// Clients that are not gRPC's, health checks, and a .proto that nobody implements.
package main

import (
	"context"
	"net/http"

	"github.com/redis/go-redis/v9"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"k8s.io/client-go/kubernetes"
)

type health struct {
	healthpb.UnimplementedHealthServer
}

func (health) Check(ctx context.Context, r *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	return nil, nil
}

type Store struct {
	cluster *redis.ClusterClient
	web     *http.Client
}

func (s *Store) Load(ctx context.Context) {
	s.cluster.Get(ctx, "key")
	s.web.Get("http://example.com")
	c := redis.NewFailoverClient(nil)
	c.Set(ctx, "key", "value", 0)
	healthpb.NewHealthClient(nil).Check(ctx, nil)
	kubernetes.NewForConfig(nil)
}

// UserClient is made here, of nothing but HTTP.
type UserClient struct{ base string }

func NewUserClient(base string) *UserClient { return &UserClient{base} }

func (c *UserClient) GetUser(id string) error { return nil }

type pbapi struct{ users *UserClient }

func (p *pbapi) run() {
	p.users.GetUser("1")
	NewUserClient("http://users").GetUser("2")
}
