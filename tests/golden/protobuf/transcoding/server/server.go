package server

import (
	"context"

	pb "example.com/shelves/gen/shelvesv1"
)

type server struct {
	pb.UnimplementedShelfServiceServer
}

func (s *server) GetShelf(ctx context.Context, r *pb.GetShelfRequest) (*pb.Shelf, error) {
	return nil, nil
}

func (s *server) CreateShelf(ctx context.Context, r *pb.CreateShelfRequest) (*pb.Shelf, error) {
	return nil, nil
}

func (s *server) MergeShelves(ctx context.Context, r *pb.MergeShelvesRequest) (*pb.Shelf, error) {
	return nil, nil
}

func (s *server) HeadShelf(ctx context.Context, r *pb.GetShelfRequest) (*pb.Shelf, error) {
	return nil, nil
}
