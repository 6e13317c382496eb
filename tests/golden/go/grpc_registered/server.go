package transport

import (
	"context"

	"example.com/math/pb"
	"github.com/go-kit/kit/transport/grpc"
)

// It has the methods of the service, and embeds nothing.
type grpcServer struct {
	sum    grpc.Handler
	concat grpc.Handler
}

func NewServer() pb.AddServer {
	return &grpcServer{}
}

func (s *grpcServer) Sum(ctx context.Context, r *pb.SumRequest) (*pb.SumReply, error) {
	_, rep, err := s.sum.ServeGRPC(ctx, r)
	return rep.(*pb.SumReply), err
}
