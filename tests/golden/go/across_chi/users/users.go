package users

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Resource struct{}

func (rs Resource) Routes() chi.Router {
	r := chi.NewRouter()
	r.Get("/", rs.List)
	r.Route("/{id}", func(r chi.Router) {
		r.With(auth).Put("/", rs.List)
	})
	return r
}

func (rs Resource) List(w http.ResponseWriter, r *http.Request) {
	r.Header.Get("/nothing")
}
