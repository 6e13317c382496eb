package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func orders(debug bool) http.Handler {
	r := chi.NewRouter()
	r.Get("/orders", list)
	if !debug {
		return r
	}
	r.Get("/debug", list)
	return r
}

func list(w http.ResponseWriter, r *http.Request) {}
