package routes

import "github.com/go-chi/chi/v5"

func Users(r chi.Router) {
	r.Get("/", list)
	r.Route("/{id}", func(r chi.Router) {
		r.Put("/", put)
		r.Route("/photos", photos)
	})
}
func photos(r chi.Router) { r.Get("/", list) }

func Orders() chi.Router {
	r := chi.NewRouter()
	r.Get("/", list)
	r.Mount("/lines", lineRoutes())
	return r
}
func lineRoutes() chi.Router {
	r := chi.NewMux()
	r.Post("/", list)
	return r
}
