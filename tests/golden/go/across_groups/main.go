package main

import (
	"example.com/shop/users"
	"github.com/gin-gonic/gin"
)

func main() {
	r := gin.Default()
	v1 := r.Group("/api")
	users.Register(v1.Group("/users"))
	users.Profiles(v1)
	r.Run()
}
