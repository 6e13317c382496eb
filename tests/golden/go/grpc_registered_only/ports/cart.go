package ports

import (
	"context"

	"github.com/acme/contracts/genproto/cart"
)

type CartServer struct{}

func NewCartServer() CartServer {
	return CartServer{}
}

func (s CartServer) GetCart(ctx context.Context, r *cart.GetRequest) (*cart.Cart, error) {
	return nil, nil
}
