package main

import (
	"net/http"

	"example.com/chi/users"
	"github.com/go-chi/chi/v5"
)

func main() {
	r := chi.NewRouter()
	r.Get("/health", health)
	r.Mount("/admin", adminRouter())
	r.Route("/api", func(r chi.Router) {
		r.Mount("/users", users.Resource{}.Routes())
	})
	http.ListenAndServe(":80", r)
}

func adminRouter() http.Handler {
	r := chi.NewRouter()
	r.Get("/stats", health)
	return r
}

func health(w http.ResponseWriter, r *http.Request) {}
