package main

import (
	"example.com/shop/ports"
	"example.com/shop/stock"
	"github.com/acme/contracts/genproto/cart"
	"github.com/acme/contracts/genproto/offers"
	"google.golang.org/grpc"
)

func main() {
	run(func(server *grpc.Server) {
		svc := ports.NewCartServer()
		cart.RegisterCartServiceServer(server, svc)
		offers.RegisterOffersServer(server, &offerServer{})
		stock.RegisterStockServer(server, stock.New())
	})
}

func run(register func(server *grpc.Server)) {
	register(grpc.NewServer())
}
