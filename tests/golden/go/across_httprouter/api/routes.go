package api

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func Register(router *httprouter.Router, users *Users) {
	router.GET(UserPath, users.Get)
	router.HandlerFunc(http.MethodPost, Root+"/users", users.Add)
}
