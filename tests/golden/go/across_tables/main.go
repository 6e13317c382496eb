package main

import (
	"net/http"

	"github.com/gorilla/mux"
)

type endpoint struct {
	verb, pattern string
	handle        http.HandlerFunc
}

var endpoints = []endpoint{
	{"POST", "/rooms", book},
	{verb: http.MethodGet, pattern: "/rooms/{id}", handle: room},
}

var pages = map[string]http.HandlerFunc{
	"/floors": floors,
	"/houses": houses,
}

func made() []*endpoint {
	return []*endpoint{
		newEndpoint("PUT", "/rooms/{id}/key", key),
		newEndpoint("DELETE", "/rooms/{id}/key", drop),
	}
}

func newEndpoint(verb, pattern string, h http.HandlerFunc) *endpoint {
	return &endpoint{verb: verb, pattern: pattern, handle: h}
}

func main() {
	r := mux.NewRouter()
	for _, e := range endpoints {
		r.Methods(e.verb).Path(e.pattern).HandlerFunc(e.handle)
	}
	for path, page := range pages {
		r.HandleFunc(path, page).Methods("GET")
	}
	for _, e := range made() {
		r.HandleFunc(e.pattern, e.handle).Methods(e.verb)
	}
	add(r, []endpoint{{"PATCH", "/rooms/{id}", change}})
	put := func(path string, h http.HandlerFunc) { r.HandleFunc(path, h).Methods("PUT") }
	put("/lamps/{id}", lamp)
}

func add(r *mux.Router, all []endpoint) {
	for _, e := range all {
		r.HandleFunc(e.pattern, e.handle).Methods(e.verb)
	}
}

func key(w http.ResponseWriter, r *http.Request) {}

func drop(w http.ResponseWriter, r *http.Request) {}
