package transport

import (
	"context"

	"example.com/math/pb"
)

func (s *grpcServer) Concat(ctx context.Context, r *pb.ConcatRequest) (*pb.ConcatReply, error) {
	return nil, nil
}

// Set has the same names, and numbers for requests; half has one of two.
type Set struct{}

func (Set) Sum(a, b int) (int, error) { return a + b, nil }

func (Set) Concat(a, b string) (string, error) { return a + b, nil }

type half struct{}

func (half) Sum(ctx context.Context, r *pb.SumRequest) (*pb.SumReply, error) { return nil, nil }

// traced has the same methods, too, with types of its own.
type traced struct{}

func (traced) Sum(ctx context.Context, r *SumRequest) (*SumReply, error) { return nil, nil }

func (traced) Concat(ctx context.Context, r *SumRequest) (*SumReply, error) { return nil, nil }

type SumRequest struct{}

type SumReply struct{}
