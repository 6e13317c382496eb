package stock

import (
	"context"

	"github.com/acme/contracts/genproto/warehouse"
	"google.golang.org/grpc"
)

// It says by itself what it is: no more is said where it is registered.
type Stock struct {
	warehouse.UnimplementedStockServer
}

func New() *Stock {
	return &Stock{}
}

func RegisterStockServer(s *grpc.Server, stock *Stock) {
	warehouse.RegisterStockServer(s, stock)
}

func (s *Stock) CountItems(ctx context.Context, r *warehouse.CountRequest) (*warehouse.CountReply, error) {
	return nil, nil
}
