package main

import (
	"net/http"

	"example.com/shop/usersvc"
	"github.com/gorilla/mux"
)

func main() {
	r := mux.NewRouter()
	usersvc.MakeHandlers(r.PathPrefix("/api").Subrouter(), usersvc.NewEndpoints())
	http.ListenAndServe(":8080", r)
}
