package usersvc

import (
	"github.com/go-kit/kit/transport/http"
	"github.com/gorilla/mux"
)

func MakeHandlers(r *mux.Router, e Endpoints) {
	r.Methods("GET").Path("/users/{id}").Handler(http.NewServer(e.Get, decodeGet, encode))
	r.Methods("POST").Path(usersPath).Handler(http.NewServer(e.Post, decodePost, encode))
}
