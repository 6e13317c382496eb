package api

import "github.com/gorilla/mux"

type Server struct {
	Router *mux.Router
}

func Register(r *mux.Router) {
	r.HandleFunc(usersPath+"/{id}", show).Methods("GET")
	get := r.Methods("DELETE").Subrouter()
	get.HandleFunc("/things", show)
}

func (s *Server) Routes() {
	s.Router.HandleFunc("/healthz", show)
}
