package api

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func Routes(h *Handlers) {
	r := httprouter.New()
	r.GET("/users/:id", h.User)
	r.POST("/users", auth(h.User))
	r.Handler(http.MethodPut, "/handler", h)
	r.HandlerFunc("DELETE", "/func/*rest", h.Plain)
	r.Handle("PATCH", "/handle", h.User)
	cache.GET("nothing", x)
	cache.GET("/nothing")
}
