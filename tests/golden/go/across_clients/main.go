package main

import (
	"os"

	"example.com/clients/gateway"
)

const users = "http://users:8080"

func main() {
	c := gateway.New(users)
	c.User("1")
	gateway.Fetch("http://orders/orders")
	addr := os.Getenv("CARTS_ADDR")
	gateway.Fetch("http://" + addr + "/carts")
}
