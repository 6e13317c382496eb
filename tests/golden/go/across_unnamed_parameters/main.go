package main

import "github.com/gin-gonic/gin"

type Module interface {
	Routes(*gin.RouterGroup)
}

type Users struct{}

func (u *Users) Routes(r *gin.RouterGroup) {
	r.GET("/users", u.list)
}

type Orders struct{}

func (o *Orders) Routes(r *gin.RouterGroup) {
	r.GET("/orders", o.list)
}

func main() {
	e := gin.Default()
	api := e.Group("/api")
	modules := []Module{&Users{}, &Orders{}}
	for _, m := range modules {
		m.Routes(api)
	}
}
