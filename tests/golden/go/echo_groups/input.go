package main

import "github.com/labstack/echo/v4"

func main() {
	e := echo.New()
	e.GET("ping", ping)
	ships := e.Group("/ship")
	ships.POST("s", add)
	ships.GET("s/:id", one)
	ships.GET("/sunk", sunk)
	cache.GET("nothing", x)
}
