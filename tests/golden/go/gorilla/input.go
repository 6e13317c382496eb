package api

import (
	"net/http"

	"github.com/gorilla/mux"
)

func routes(r *mux.Router, h http.Handler, s *server) {
	r.Methods("GET").Path("/login").Handler(h)
	r.Methods("POST", "PUT").Path("/users/{id}").Handler(h)
	r.Path("/late").Methods("DELETE").Handler(h)
	r.Methods("GET").PathPrefix("/images/").Handler(h)
	r.Methods("GET").PathPrefix("/health").Handler(h)
	r.Handle("/metrics", h)
	u.Path("/nothing")
	r.HandleFunc("/users/{id:[0-9]+}", add).Methods("GET", http.MethodPut)
	r.HandleFunc("/named", s.named).Name("x").Methods("PATCH")
	r.HandleFunc("/search", s.search).Queries("q", "{q}").Methods(http.MethodGet)
	r.Methods(http.MethodPost).HandlerFunc(s.nothing)
	r.Methods("DELETE").HandleFunc("/first", add)
	r.PathPrefix("/static/").Handler(http.StripPrefix("/static/", http.FileServer(http.Dir("x"))))
	r.Path("/any").HandlerFunc(add)
	r.Methods("GET").Path("/kit/{id}").Handler(httptransport.NewServer(s.endpoint, decode, encode))
}

func groups() http.Handler {
	root := mux.NewRouter()
	api := root.PathPrefix("/api").Subrouter()
	v1 := api.PathPrefix("/v1").Subrouter()
	v1.HandleFunc("/items", add).Methods("GET")
	get := v1.Methods("GET").Subrouter()
	get.HandleFunc("/others", add)
	api.Methods("POST").Path("/posted").HandlerFunc(add)
	return root
}

func other(root *mux.Router) {
	api := root.PathPrefix("/other").Subrouter()
	api.HandleFunc("/items", add)
	cache.Handle("name", add)
}

func add(w http.ResponseWriter, r *http.Request) {
	// r.HandleFunc("/comment", add)
	mux.Vars(r).Get("/nothing")
}

func (s *server) named(w http.ResponseWriter, r *http.Request) {}
