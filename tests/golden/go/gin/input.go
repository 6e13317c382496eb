package api

import "github.com/gin-gonic/gin"

func Routes(r *gin.Engine, h *Handlers) {
	v1 := r.Group("/api/v1")
	v1.GET("/users/:id", h.User)
	v1.POST("/users", auth, createUser)
	r.Any("/any/*rest", func(c *gin.Context) {})
	admin := v1.Group("admin")
	{
		admin.DELETE("/users/:id", createUser)
		admin.Handle("PATCH", "/x", createUser)
	}
	r.Group("/direct").PUT("/y", wrap(createUser))
	r.Match([]string{"GET", "POST"}, "/match", createUser)
	cache.GET("nothing", x)
	cache.GET("/nothing")
	bus.Handle("topic", "/nothing", createUser)
}

func more(r *gin.Engine) {
	v1 := r.Group("/more")
	v1.GET("/users", createUser)
}

func createUser(c *gin.Context) {
	c.GetHeader("/nothing")
	c.Request.Header.Get("/nothing")
}

func (h *Handlers) User(c *gin.Context) {}
