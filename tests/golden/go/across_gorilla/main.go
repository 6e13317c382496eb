package main

import (
	"net/http"

	"example.com/mux/api"
	"github.com/gorilla/mux"
)

func main() {
	r := mux.NewRouter()
	api.Register(r.PathPrefix("/api").Subrouter())
	s := &api.Server{Router: r}
	s.Routes()
	http.ListenAndServe(":80", r)
}
