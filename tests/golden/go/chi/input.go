package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func Routes(h *Handlers) http.Handler {
	r := chi.NewRouter()
	r.Get("/", index)
	r.Route("/users", func(r chi.Router) {
		r.With(paginate).Get("/", h.List)
		r.Post("/", auth(h.Create))
		r.Route("/{id}", func(r chi.Router) {
			r.Use(ctx)
			r.Put("/", h.List)
			r.Get("/notes/{date:\\d+}", h.List)
		})
	})
	r.Group(func(r chi.Router) {
		r.Delete("/grouped", index)
	})
	r.Method("PATCH", "/method", http.HandlerFunc(index))
	r.MethodFunc(http.MethodPost, "/func", index)
	r.Handle("/any/*", http.FileServer(nil))
	cache.Get("nothing", x)
	return r
}

func index(w http.ResponseWriter, r *http.Request) {
	r.Header.Get("/nothing")
	http.Get("http://users/called")
	http.Post("http://users/posted", "text/plain", nil)
}

func (h *Handlers) List(w http.ResponseWriter, r *http.Request) {}
