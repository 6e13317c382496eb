package alike

import "github.com/gofiber/fiber/v2"

func fiberNot(c *fiber.Ctx, s *storage) error {
	c.Get("X-Header", "/x")
	s.Get("/not/a/route", nil)
	c.Locals("/y", 1)
	return c.Redirect("/z", 302)
}

type storage struct{}

func (*storage) Get(key string, fallback any) any { return nil }
