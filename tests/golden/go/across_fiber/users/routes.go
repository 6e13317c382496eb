package users

import "github.com/gofiber/fiber/v2"

const one = "/:id"

func Register(r fiber.Router) {
	r.Get("/", all)
	r.Delete(one, drop)
}

func Orders() *fiber.App {
	app := fiber.New()
	app.Post("/", all)
	return app
}

func all(c *fiber.Ctx) error { return c.SendStatus(200) }

func drop(c *fiber.Ctx) error { return nil }
