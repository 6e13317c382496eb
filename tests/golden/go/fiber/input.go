package api

import "github.com/gofiber/fiber/v2"

func Routes(h *Handlers) {
	app := fiber.New()
	app.Get("/users/:id", h.User)
	api := app.Group("/api", logger.New())
	api.Post("/users", auth, h.User)
	v1 := api.Group("/v1")
	v1.Delete("/users/:id?", h.User)
	app.Route("/routed", func(r fiber.Router) {
		r.Put("/x", h.User)
	})
	app.All("/any", h.User)
	app.Add("PATCH", "/added", h.User)
	cache.Get("nothing", x)
	cache.Get("/nothing")
}

func (h *Handlers) User(c *fiber.Ctx) error {
	c.Get("/nothing", "otherwise")
	return nil
}
