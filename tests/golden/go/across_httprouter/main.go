package main

import (
	"net/http"

	"github.com/julienschmidt/httprouter"

	"example.com/router/api"
)

func main() {
	router := httprouter.New()
	api.Register(router, &api.Users{})
	http.ListenAndServe(":8080", router)
}
