package front

import (
	"context"
	"net/http"

	pb "example.com/shop/api/shopv1"
)

func (a *App) show(ctx context.Context) error {
	if _, err := a.carts.GetCart(ctx, &pb.GetCartRequest{}); err != nil {
		return err
	}
	_, err := a.stub().
		WatchCart(ctx, &pb.GetCartRequest{})
	return err
}

func (a *App) ping(c *http.Client) error {
	_, err := c.Get("http://cart/ping")
	return err
}
