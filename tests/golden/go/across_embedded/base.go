package main

import "github.com/gin-gonic/gin"

type Cage struct{ Path string }

func (c *Cage) Open(r gin.IRouter) {
	g := r.Group(c.Path)
	g.POST("", c.add)
	g.GET(":id", c.one)
}
