package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Orders struct{}

func (o *Orders) Mount(r chi.Router) {
	r.Get("/orders", o.list)
	r.Get("/orders/{id}", o.one)
}

func (o *Orders) Name() (string, error) { return "orders", nil }

func (o *Orders) list(http.ResponseWriter, *http.Request) {}
func (o *Orders) one(http.ResponseWriter, *http.Request)  {}

type Users struct{}

func (Users) Mount(r chi.Router) {
	r.Post("/users", create)
}

func (Users) Name() (string, error) { return "users", nil }

func create(http.ResponseWriter, *http.Request) {}

// Other has the names of the interface, but not its parameters.
type Other struct{}

func (Other) Mount(path string, r chi.Router) {
	r.Post("/other", create)
}

func (Other) Name() (string, error) { return "other", nil }
