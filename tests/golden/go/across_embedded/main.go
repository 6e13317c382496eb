package main

import "github.com/gin-gonic/gin"

type Lions struct{ Cage }

func main() {
	r := gin.Default()
	l := &Lions{Cage{Path: "/lions"}}
	l.Open(r.Group("/zoo"))
	r.GET("version", version)
	food(r, "/zoo")
}

// The place of a route is its registration, also if a caller gives what comes before it.
func food(r *gin.Engine, base string) {
	r.GET(base+"/food", list)
	r.PUT(base+"/food/:id", change)
}
