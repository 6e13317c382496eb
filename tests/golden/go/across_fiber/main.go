package main

import (
	"github.com/gofiber/fiber/v2"

	"example.com/fiber/users"
)

func main() {
	app := fiber.New()
	api := app.Group("/api")
	users.Register(api.Group("/users"))
	app.Mount("/orders", users.Orders())
}
