package main

import (
	"example.com/echo/handler"
	"github.com/labstack/echo/v4"
)

func main() {
	e := echo.New()
	h := handler.New()
	h.Register(e.Group("/api"))
	handler.Health(e)
}
