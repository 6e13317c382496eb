package alike

import "github.com/labstack/echo/v4"

func echoNot(c echo.Context) error {
	c.Get("user")
	c.QueryParam("/q")
	return c.Redirect(302, "/elsewhere")
}
