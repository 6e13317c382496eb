package api

import "github.com/gin-gonic/gin"

func Routes(r *gin.Engine, h *Handlers) {
	v1 := r.Group("/api/v1")
	v1.GET("/users/:id", h.User)
	v1.POST("/users", auth, createUser)
	r.Any("/any/*rest", func(c *gin.Context) {})
	admin := v1.Group("admin")
	admin.DELETE("/users/:id", createUser)
	cache.GET("nothing", x)
	cache.GET("/nothing")
}

func createUser(c *gin.Context) {}

func (h *Handlers) User(c *gin.Context) {}
