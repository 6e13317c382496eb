package front

import (
	"google.golang.org/grpc"

	pb "example.com/shop/api/shopv1"
)

// App has its stub in a field, and gives one away.
type App struct {
	carts pb.CartClient
	conn  *grpc.ClientConn
}

func New(conn *grpc.ClientConn) *App {
	return &App{carts: pb.NewCartClient(conn), conn: conn}
}

func (a *App) stub() pb.CartClient {
	return pb.NewCartClient(a.conn)
}
