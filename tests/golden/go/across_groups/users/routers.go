package users

import "github.com/gin-gonic/gin"

func Register(router *gin.RouterGroup) {
	router.POST("/", Create)
	router.GET("/:id", Show)
}

func Profiles(router *gin.RouterGroup) {
	group := router.Group(profiles)
	group.GET("/:name", Show)
}

func Create(c *gin.Context) {}

func Show(c *gin.Context) {
	c.Get("/key")
}
