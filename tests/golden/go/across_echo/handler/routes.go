package handler

import "github.com/labstack/echo/v4"

type Handler struct{}

func New() *Handler { return &Handler{} }

func (h *Handler) Register(v1 *echo.Group) {
	users := v1.Group("/users")
	users.POST("", h.SignUp)
	users.GET("/:id", h.SignUp)
}

func Health(e *echo.Echo) {
	e.GET("/health", func(c echo.Context) error { return nil })
}

func (h *Handler) SignUp(c echo.Context) error {
	c.Request().Header.Get("/nothing")
	return nil
}
