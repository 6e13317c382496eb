package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

func Routes(h *Handlers) {
	e := echo.New()
	e.GET("/users/:id", h.User)
	api := e.Group("/api", middleware)
	api.POST("/users", createUser, auth)
	v2 := api.Group("/v2")
	v2.DELETE("/users/:id", createUser)
	e.Any("/any/*", createUser)
	e.Add(http.MethodPut, "/added", createUser)
	e.Match([]string{"GET", "PATCH"}, "/match", createUser)
	set.Add("nothing", "/nothing", 1)
	cache.GET("nothing", x)
}

func createUser(c echo.Context) error {
	return c.JSON(200, c.Request().Header.Get("/nothing"))
}

func (h *Handlers) User(c echo.Context) error { return nil }
