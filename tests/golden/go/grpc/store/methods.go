package store

import (
	"context"

	pb "example.com/shop/api/shopv1"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

func (s *Server) GetCart(ctx context.Context, r *pb.GetCartRequest) (*pb.GetCartReply, error) {
	return s.find(ctx, r)
}

func (s *Server) WatchCart(r *pb.GetCartRequest, out pb.Cart_WatchCartServer) error {
	return nil
}

// Check is of another service.
func (s *Server) Check(ctx context.Context, r *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	return nil, nil
}

func (s *Server) find(ctx context.Context, r *pb.GetCartRequest) (*pb.GetCartReply, error) {
	return nil, nil
}
