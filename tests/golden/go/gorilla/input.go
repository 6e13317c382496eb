package api

import "github.com/gorilla/mux"

func routes(r *mux.Router, h http.Handler) {
	r.Methods("GET").Path("/login").Handler(h)
	r.Methods("POST", "PUT").Path("/users/{id}").Handler(h)
	r.Path("/late").Methods("DELETE").Handler(h)
	r.Methods("GET").PathPrefix("/images/").Handler(h)
	r.Methods("GET").PathPrefix("/health").Handler(h)
	r.Handle("/metrics", h)
	u.Path("/nothing")
}
